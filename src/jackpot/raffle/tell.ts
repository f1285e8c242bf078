import type { RafflePrize } from '../../messages/events.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import type { DrawnPrize, Raffle, Telling } from '../state/raffle.ts';
import type { Budget } from '../work/budget.ts';

/** Bytes of a prize in an event beside the player's id. */
const PRIZE_BYTES = 200;

/** Tells of prizes as far as the budget goes, in one event. Returns the place to go on from. */
export function tellPrizes(
  state: LaneState,
  instance: Instance,
  raffle: Raffle,
  telling: Telling,
  budget: Budget,
): number {
  const winners: RafflePrize[] = [];
  let next = telling.nextPrize;
  for (; next < telling.prizes.length && !budget.isSpent; next++) {
    const prize = prizeEvent(state, instance, telling.prizes[next]!);
    winners.push(prize);
    budget.spend(PRIZE_BYTES + 4 * prize.player.length);
  }
  if (winners.length === 0) return next;
  instance.counter += 1;
  state.tell({
    kind: 'RaffleWon',
    instance: instance.id,
    counter: instance.counter,
    sequence: telling.sequence,
    round: raffle.round!.number,
    pot: instance.pots[0]!.effective.id,
    instanceCount: telling.instanceCount,
    currency: instance.configuration.currency,
    winners,
    tickets: raffle.round!.tickets,
    seedAtoms: telling.seedAtoms,
    seedDeficitAtoms: telling.seedDeficitAtoms,
  });
  return next;
}

function prizeEvent(state: LaneState, { players }: Instance, prize: DrawnPrize): RafflePrize {
  return {
    brand: state.brands.byNumber(players.brandOf(prize.row)).command.brand,
    player: players.playerId(prize.row),
    tier: prize.tier,
    ticket: prize.ticket,
    amountAtoms: prize.amountAtoms,
    withheld: prize.withheld,
  };
}
