import type { RafflePrize } from '../../../messages/events.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Announcing, DrawnPrize, Raffle } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Budget } from '../steps/budget.ts';

/** Bytes of a prize in an event beside the player's id. */
const prizeBytes = 200;

/** Announces prizes in one event, as far as the budget allows. Returns the place to continue from. */
export function announcePrizes(
  state: LaneState,
  instance: Instance,
  raffle: Raffle,
  announcing: Announcing,
  budget: Budget,
): number {
  const winners: RafflePrize[] = [];
  let next = announcing.nextPrize;
  for (; next < announcing.prizes.length && !budget.isSpent; next++) {
    const prize = prizeEvent(state, instance, announcing.prizes[next]!);
    winners.push(prize);
    budget.spend(prizeBytes + 4 * prize.player.length);
  }
  if (winners.length === 0) return next;
  instance.counter += 1;
  state.announce({
    kind: 'RaffleWon',
    instance: instance.id,
    counter: instance.counter,
    sequence: announcing.sequence,
    round: raffle.round!.number,
    pot: instance.pots[0]!.effective.id,
    instanceCount: announcing.instanceCount,
    currency: instance.configuration.currency,
    winners,
    tickets: raffle.round!.tickets,
    seedAtoms: announcing.seedAtoms,
    seedDeficitAtoms: announcing.seedDeficitAtoms,
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
