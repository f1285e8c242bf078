import type { Hashing } from '../../../lib/hashing.ts';
import type { RafflePrize } from '../../../messages/events.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Announcing, DrawnPrize, FindingHolders, Raffle, Round } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { winnersOf } from '../configuration/raffle-rules.ts';
import { pick, picksOf } from '../keystreams/keystream.ts';
import { purposeRaffle } from '../keystreams/names.ts';
import type { Budget } from '../steps/steps.ts';
import { giveNumbers, holdingOf } from './tickets.ts';

/** Bytes of a ticket event beside the player's id. */
const eventBytes = 260;
/** Players without tickets cost little: this many of them count as one item. */
const idlePerItem = 16;

/** Numbers Deferred tickets in order of ordinals. Returns where to go on; null: all are numbered. */
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

/**
 * Draws a round's tickets without replacement, on the purpose-3 stream of its record (docs/rules/draws.md
 * "Key streams"). Until that record is made, nothing takes its number or ends the epoch.
 */
export function drawTickets(hashing: Hashing, instance: Instance, round: Round): FindingHolders {
  const count = Math.min(winnersOf(round.rules.prizes), round.tickets);
  if (count === 0) return { kind: 'Finding', tickets: [], ranges: [] };
  const keystream = picksOf(hashing, instance, purposeRaffle, instance.sequence + 1, count);
  const tickets = pick(keystream, round.tickets, count).map((place) => place + 1);
  return { kind: 'Finding', tickets, ranges: [] };
}

export function findHolders(raffle: Raffle, finding: FindingHolders, budget: Budget): FindingHolders {
  const ranges = [...finding.ranges];
  while (ranges.length < finding.tickets.length && !budget.isSpent) {
    ranges.push(raffle.book.find(finding.tickets[ranges.length]!));
    budget.spend(0);
  }
  return { ...finding, ranges };
}

/** Draws and their record belong to one epoch: it does not turn between them. */
export function isBetweenDrawAndRecord({ raffle }: Instance): boolean {
  return raffle !== null && (raffle.phase.kind === 'Finding' || raffle.phase.kind === 'Recording');
}

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
