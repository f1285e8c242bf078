// Runs in the page: looks at the layout in every frame while digits roll. Gives the first fault, or null after enough samples.
(() => {
  const wanted = 500;
  const minGap = 1;
  /** How far two digits beside each other may share a place: less than their side bearings. */
  const maxOverlap = 1;
  /** Every line of text of a jackpot's card that a number could run into. */
  const lines = 'h2, .about, .countdown, .pot-name, .pot-value, .pot-promise, .facts, button';
  const heights = new Map();
  let samples = 0;

  function faultOf(flow) {
    const value = flow.closest('.pot-value');
    const shown = value.textContent;
    const box = flow.getBoundingClientRect();
    for (const line of value.closest('article').querySelectorAll(lines)) {
      const other = line.getBoundingClientRect();
      if (line === value || other.right <= box.left || other.left >= box.right) continue;
      const gap = other.top > box.top ? other.top - box.bottom : box.top - other.bottom;
      if (gap < minGap) return `${gap} beside ${line.className}: ${shown}`;
    }
    const { height } = value.getBoundingClientRect();
    if ((heights.get(value) ?? height) !== height) return `the line changed its height: ${shown}`;
    heights.set(value, height);
    const digits = [...flow.shadowRoot.querySelectorAll('[part~="digit"]')].map((digit) =>
      digit.getBoundingClientRect(),
    );
    for (const [index, digit] of digits.entries()) {
      const before = digits[index - 1];
      if (before !== undefined && before.right - digit.left > maxOverlap)
        return `${before.right - digit.left} of two digits in one place: ${shown}`;
    }
    return null;
  }

  return new Promise((resolve) => {
    const look = () => {
      for (const flow of document.querySelectorAll('number-flow')) {
        const rolls = flow.shadowRoot.getAnimations().some(({ playState }) => playState === 'running');
        if (!rolls) continue;
        samples += 1;
        const fault = faultOf(flow);
        if (fault !== null) return resolve(fault);
      }
      if (samples >= wanted) return resolve(null);
      requestAnimationFrame(look);
    };
    look();
  });
})();
