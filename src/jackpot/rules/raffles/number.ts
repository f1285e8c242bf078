import type { Instance } from '../../state/instance/instance.ts';
import type { Raffle } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Budget } from '../steps/budget.ts';
import { giveNumbers } from './award.ts';
import { holdingOf } from './holding.ts';

/** Bytes of a ticket event beside the player's id. */
const eventBytes = 260;
/** Players without tickets cost little: this many of them count as one item. */
const idlePerItem = 16;

/**
 * Gives Deferred tickets their numbers, player by player in order of ordinals, as far as the budget goes. Returns the
 * ordinal to go on with; null: all have theirs.
 */
export function numberTickets(
  state: LaneState,
  instance: Instance,
  raffle: Raffle,
  fromOrdinal: number,
  budget: Budget,
): number | null {
  const { players } = instance;
  let idle = 0;
  for (let ordinal = fromOrdinal; ordinal <= players.contributors; ordinal++) {
    if (budget.isSpent) return ordinal;
    const row = players.byOrdinal.row(ordinal);
    const tickets = holdingOf(instance, row)?.tickets ?? 0;
    if (tickets > 0) {
      giveNumbers(state, instance, raffle, row, tickets);
      budget.spend(eventBytes + 4 * players.playerId(row).length);
    } else if (++idle % idlePerItem === 0) budget.spend(0);
  }
  return null;
}
