/** Resolves in the next turn of the event loop: long work in slices lets others in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Gives a function that runs its tasks one after the other, each in a turn of its own, whoever they are from. */
export function inSeparateTurns(): (task: () => void) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (task) => {
    last = last.then(nextTurn).then(task);
    return last;
  };
}
