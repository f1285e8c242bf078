import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Raffle, Round } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { TicketCost } from '../../state/settlements/open-debits.ts';
import { holdingOf, storeHolding } from './holding.ts';
import { ticketEvent } from './ticket-event.ts';

/** Ticket numbers stay exact integers. */
const maxTickets = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Whether a round has room for what a contribution may bring beside those that wait for their debits, which cannot be refused
 * any more; to be asked before anything moves.
 */
export function ticketRefusal(state: LaneState, instance: Instance, cost: TicketCost): Refusal | null {
  const { raffle } = instance;
  if (raffle === null || raffle.round === null) return null;
  const { round } = raffle;
  const open = state.debits.countOf(instance.id);
  const costAtoms =
    costOf(round, cost) + (open === 0 ? 0n : costOf(round, state.debits.costsOf(instance.id)));
  // Each of them may complete a ticket that others have begun to pay.
  const max = costAtoms / round.rules.costPerTicketAtoms + BigInt(open + 1);
  const isFull = BigInt(round.tickets) + max > maxTickets;
  if (isFull) return refused('amount_out_of_range', 'the round has no more ticket numbers');
  return raffle.book.isFull ? refused('overloaded', 'the round has given all the tickets it can hold') : null;
}

/**
 * docs/rules/raffles.md "Tickets": acc += cost, k = floor(acc / cost_per_ticket), acc −= k·cost, and the next k numbers.
 * Deferred tickets are counted now and awarded at the round's end. Returns the tickets awarded now.
 */
export function awardTickets(state: LaneState, instance: Instance, row: number, cost: TicketCost): number {
  const { raffle } = instance;
  if (raffle === null || raffle.round === null) return 0;
  const { round } = raffle;
  const before = holdingOf(instance, row);
  const accumulated = (before?.costAtoms ?? 0n) + costOf(round, cost);
  const count = Number(accumulated / round.rules.costPerTicketAtoms);
  const holding = {
    costAtoms: accumulated % round.rules.costPerTicketAtoms,
    tickets: (before?.tickets ?? 0) + count,
  };
  storeHolding(instance, row, round.number, holding);
  if (count === 0) return 0;
  round.tickets += count;
  return round.rules.isDeferred ? 0 : giveNumbers(state, instance, raffle, row, count);
}

/** The next numbers for a player, and the event that says so. */
export function giveNumbers(
  state: LaneState,
  instance: Instance,
  raffle: Raffle,
  row: number,
  count: number,
): number {
  const first = raffle.book.append(row, count);
  state.announce(ticketEvent(state, instance, row, first, count));
  return count;
}

function costOf(round: Round, cost: TicketCost): bigint {
  return round.rules.costSource === 'Contribution' ? cost.contributionAtoms : cost.wagerAtoms;
}
