/** How often a listener checks for signs of life. */
export const pollIntervalMs = 500;

/** How long there was no sign of life, in polls: no silence passes while the listener itself is stopped. */
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
