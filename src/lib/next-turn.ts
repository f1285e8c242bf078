/** Resolves in the next turn of the event loop: long work in slices lets others in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
