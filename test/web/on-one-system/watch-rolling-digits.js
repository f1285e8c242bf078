// Runs in the page: looks at the layout in every frame while digits roll. Gives the first fault, or null after enough samples.
(() => {
  const wanted = 500;
  const minGap = 1;
  /** Every line of text of a jackpot's card that a number could run into. */
  const lines = 'h2, .about, .countdown, .pot-name, .pot-value, .pot-promise, .facts, button';
  const heights = new Map();
  let samples = 0;

  function faultOf(digit) {
    const style = getComputedStyle(digit);
    const box = digit.getBoundingClientRect();
    const value = digit.closest('.pot-value');
    const shown = `${digit.textContent} in ${value.textContent}`;
    if (!['clip', 'hidden'].includes(style.overflowY)) return `not clipped: ${shown}`;
    // The parts of both digits that are shown stay within the height of one line of text.
    if (box.height > Number.parseFloat(style.fontSize) + 0.5) return `a window of ${box.height}: ${shown}`;
    for (const line of value.closest('article').querySelectorAll(lines)) {
      const other = line.getBoundingClientRect();
      if (line === value || other.right <= box.left || other.left >= box.right) continue;
      const gap = other.top > box.top ? other.top - box.bottom : box.top - other.bottom;
      if (gap < minGap) return `${gap} beside ${line.className}: ${shown}`;
    }
    const { height } = value.getBoundingClientRect();
    if ((heights.get(value) ?? height) !== height) return `the line changed its height: ${shown}`;
    heights.set(value, height);
    return null;
  }

  return new Promise((resolve) => {
    const look = () => {
      for (const rolling of document.querySelectorAll('.digit .goes')) {
        // At its end the animation leaves the old digit hidden.
        if (getComputedStyle(rolling).visibility === 'hidden') continue;
        samples += 1;
        const fault = faultOf(rolling.closest('.digit'));
        if (fault !== null) return resolve(fault);
      }
      if (samples >= wanted) return resolve(null);
      requestAnimationFrame(look);
    };
    look();
  });
})();
