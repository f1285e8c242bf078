/** How often whoever listens for signs of life looks whether there were any. */
export const pollIntervalMs = 500;

/**
 * For how long somebody has shown no sign of life, in looks of the listener and not by a clock: a listener that was stopped
 * itself, or whose machine slept, has not looked meanwhile, and must not take its own absence for the other's.
 */
export class Silence {
  #polls = 0;

  reset(): void {
    this.#polls = 0;
  }

  polled(): void {
    this.#polls += 1;
  }

  get ms(): number {
    return this.#polls * pollIntervalMs;
  }
}
