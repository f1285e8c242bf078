import type { LaneClient } from '../../../../lane-client.ts';

/**
 * Bulk commands of a lane, one at a time for the whole gateway: contributions get in between, and requests take turns,
 * because each asks for its next turn when the last one is over.
 */
export class LaneTurns {
  /** As many as there are lanes; none rejects. */
  readonly #last = new Map<number, Promise<unknown>>();

  inTurn<T>(lane: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane) ?? Promise.resolve();
    const mine = before.then(work);
    this.#last.set(lane, mine.then(nothing, nothing));
    return mine;
  }
}

const turns = new WeakMap<LaneClient, LaneTurns>();

/** The turns of this gateway. */
export function turnsOf(lanes: LaneClient): LaneTurns {
  let known = turns.get(lanes);
  if (known === undefined) {
    known = new LaneTurns();
    turns.set(lanes, known);
  }
  return known;
}

function nothing(): void {}
