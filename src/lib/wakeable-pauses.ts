/** Pauses that end early when somebody wakes them. */
export class WakeablePauses {
  readonly #clock: { after(delayMs: number, task: () => void): () => void };
  readonly #ends = new Set<() => void>();

  constructor(clock: { after(delayMs: number, task: () => void): () => void }) {
    this.#clock = clock;
  }

  /** Resolves after `delayMs`, or when it is woken. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#ends.delete(end);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, end);
      this.#ends.add(end);
    });
  }

  /** Ends all pauses that are under way. */
  wake(): void {
    for (const end of this.#ends) end();
  }
}
