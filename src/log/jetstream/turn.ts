/** So long may a reader keep the event loop; a message is never cut. */
const maxTurnMs = 5;

/**
 * The readers of a process share its event loop. One whose messages are work gives the others a turn after a few milliseconds, however
 * many messages of its own wait (docs/decisions/0204).
 */
export class Turn {
  #beganMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#beganMs > maxTurnMs;
  }

  begin(): void {
    this.#beganMs = performance.now();
  }

  /** Resolves when all others had theirs. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.begin();
  }
}
