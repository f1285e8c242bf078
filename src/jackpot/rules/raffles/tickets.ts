import { assert } from '../../../lib/assert.ts';
import type { TicketsAwardedEvent } from '../../../messages/events.ts';
import type { TicketRecord } from '../../../messages/records.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Raffle, Round } from '../../state/instance/raffle.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import {
  raffleCostAt,
  raffleRoundAt,
  raffleTicketsAt,
  readMs,
  writeMs,
} from '../../state/players/player-segment.ts';
import type { TicketCost } from '../../state/settlements/open-debits.ts';

/** Ticket numbers stay exact integers. */
const maxTickets = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether the round has room for a contribution's tickets beside those that wait for debits. */
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

/** Counts a contribution's cost (docs/rules/raffles.md "Tickets"). Returns the tickets awarded now. */
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

interface Holding {
  /** The carry towards the next ticket, in the instance's currency. */
  readonly costAtoms: bigint;
  readonly tickets: number;
}

/** null where the player has taken no part in the current round. */
export function holdingOf(instance: Instance, row: number): Holding | null {
  const { players, raffle } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row) + players.raffleAt;
  if (raffle === null || raffle.round === null || rows[at + raffleRoundAt] !== raffle.round.number)
    return null;
  return {
    costAtoms: (BigInt(rows[at + raffleCostAt + 1]!) << 32n) | BigInt(rows[at + raffleCostAt]!),
    tickets: readMs(rows, at + raffleTicketsAt),
  };
}

/** The cost is below the price of a ticket, which fits 64 bits. The caller has touched the row. */
function storeHolding(instance: Instance, row: number, round: number, holding: Holding): void {
  const { players } = instance;
  const rows = players.segmentOf(row).rows;
  const at = players.at(row) + players.raffleAt;
  rows[at + raffleRoundAt] = round;
  rows[at + raffleCostAt] = Number(holding.costAtoms & 0xffff_ffffn);
  rows[at + raffleCostAt + 1] = Number(holding.costAtoms >> 32n);
  writeMs(rows, at + raffleTicketsAt, holding.tickets);
}

/** A player's numbers first … first + count − 1, and what the player has in the round now. */
function ticketEvent(
  state: LaneState,
  instance: Instance,
  row: number,
  first: number,
  count: number,
): TicketsAwardedEvent {
  const record = ticketRecord(state, instance, row);
  const holding = holdingOf(instance, row);
  assert(record !== null && holding !== null, 'tickets are given to players of the round');
  return { kind: 'TicketsAwarded', first, count, record: { ...record, ticketCount: holding.tickets } };
}

/** The player's record of the current round; null where the player takes no part in it. */
export function ticketRecord(state: LaneState, instance: Instance, row: number): TicketRecord | null {
  const holding = holdingOf(instance, row);
  const round = instance.raffle?.round ?? null;
  if (holding === null || round === null) return null;
  return {
    instance: instance.id,
    brand: state.brands.byNumber(instance.players.brandOf(row)).command.brand,
    player: instance.players.playerId(row),
    ticketCount: shownTickets(instance, round, row, holding),
    accumulatedAtoms: holding.costAtoms,
    startMs: round.startMs,
    endMs: round.endMs,
  };
}

/** Deferred tickets count once they have their numbers. */
export function shownTickets(instance: Instance, round: Round, row: number, { tickets }: Holding): number {
  return !round.rules.isDeferred || isBehindNumbering(instance, row) ? tickets : 0;
}

function isBehindNumbering(instance: Instance, row: number): boolean {
  const { players, raffle } = instance;
  const phase = raffle!.phase;
  if (phase.kind === 'Open') return false;
  if (phase.kind !== 'Numbering') return true;
  return players.ordinalOf(row) < phase.nextOrdinal;
}
