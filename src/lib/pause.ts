/** Resolves after `delayMs` of the given clock. */
export function pause(
  clock: { after(delayMs: number, task: () => void): unknown },
  delayMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
