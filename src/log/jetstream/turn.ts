import { nextTurn } from '../../lib/next-turn.ts';

/** How long a reader may keep the event loop; it always finishes a message. */
const maxTurnMs = 5;

/**
 * Readers of a process share its event loop: a busy one gives the others a turn after a few milliseconds
 * (docs/decisions/0204).
 */
export class Turn {
  #beganMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#beganMs > maxTurnMs;
  }

  begin(): void {
    this.#beganMs = performance.now();
  }

  /** Resolves when all others had their turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.begin();
  }
}
