import { nextTurn } from './next-turn.ts';
import type { Steps } from './steps.ts';

/** How long one may keep the event loop; it always finishes a message or a step. */
const maxTurnMs = 5;

/**
 * Those who have much to read or restore share the event loop: a busy one gives the others a turn after a few milliseconds
 * (docs/decisions/0297).
 */
export class Turn {
  readonly #nowMs: () => number;
  #beganMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#beganMs = nowMs();
  }

  get isOver(): boolean {
    return this.#nowMs() - this.#beganMs > maxTurnMs;
  }

  begin(): void {
    this.#beganMs = this.#nowMs();
  }

  /** Resolves when all others had their turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.begin();
  }
}

/** Runs all steps; everything else in the process has its turn every few milliseconds. */
export async function inTurns<Result>(steps: Steps<Result>, turn: Turn): Promise<Result> {
  turn.begin();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turn.isOver) await turn.next();
  }
}
