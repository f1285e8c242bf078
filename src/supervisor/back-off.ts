export const firstDelayMs = 100;
export const maxDelayMs = 5000;

/**
 * The wait before a restart of a child that did not recover: 100 ms after the first failure in a row,
 * doubling up to 5 s.
 */
export function backOffMs(failuresInARow: number): number {
  return Math.min(firstDelayMs * 2 ** Math.min(Math.max(failuresInARow - 1, 0), 16), maxDelayMs);
}
