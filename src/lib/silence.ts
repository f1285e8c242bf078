/** How often whoever listens for signs of life looks whether there were any. */
export const lookEveryMs = 500;

/**
 * For how long somebody has shown no sign of life, in looks of the listener and not by a clock: a listener that was stopped
 * itself, or whose machine slept, has not looked meanwhile, and must not take its own absence for the other's.
 */
export class Silence {
  #looks = 0;

  heard(): void {
    this.#looks = 0;
  }

  looked(): void {
    this.#looks += 1;
  }

  get ms(): number {
    return this.#looks * lookEveryMs;
  }
}
