/** How often a listener checks for signs of life. */
export const pollIntervalMs = 500;

/**
 * * How long a process has shown no sign of life, counted in polls and not by a clock: while the listener
 * itself is stopped or its machine sleeps, no silence passes.
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
