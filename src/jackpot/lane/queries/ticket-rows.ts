import type { TicketRecord } from '../../../messages/records.ts';
import { holdingOf } from '../../rules/raffles/holding.ts';
import { shownTickets, ticketRecord } from '../../rules/raffles/ticket-event.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { idLengthBrandAt, raffleRoundAt, segmentRows } from '../../state/players/player-segment.ts';

/** Participants of a raffle's current round as columns, for sorting. */
export interface TicketRows {
  /** 0: no round runs. */
  readonly round: number;
  readonly rows: readonly number[];
  readonly tickets: readonly number[];
  readonly accumulatedAtoms: readonly bigint[];
  /** Numbers of their brands. */
  readonly brands: readonly number[];
  /** Where the next slice begins; null: this was the last one. */
  readonly next: number | null;
}

/** Players that one slice looks at: a millisecond's work at most. */
const rowsPerSlice = 2 * segmentRows;

/** The participants of the current round from a row on. */
export function ticketRowsOf(instance: Instance, fromRow: number): TicketRows {
  const { players, raffle } = instance;
  const round = raffle?.round ?? null;
  if (round === null)
    return { round: 0, rows: [], tickets: [], accumulatedAtoms: [], brands: [], next: null };
  const rows: number[] = [];
  const tickets: number[] = [];
  const accumulatedAtoms: bigint[] = [];
  const brands: number[] = [];
  const end = Math.min(players.size, fromRow + rowsPerSlice);
  for (let row = fromRow; row < end; row += 1) {
    const at = players.at(row);
    const words = players.segmentOf(row).rows;
    if (words[at + players.raffleAt + raffleRoundAt] !== round.number) continue;
    const holding = holdingOf(instance, row);
    if (holding === null) continue;
    rows.push(row);
    tickets.push(shownTickets(instance, round, row, holding));
    accumulatedAtoms.push(holding.costAtoms);
    brands.push(words[at + idLengthBrandAt]! >>> 16);
  }
  const next = end < players.size ? end : null;
  return { round: round.number, rows, tickets, accumulatedAtoms, brands, next };
}

/** The players of these rows, as `operator:brand:player`. */
export function ticketNamesOf(
  state: LaneState,
  { players }: Instance,
  rows: readonly number[],
): readonly string[] {
  return rows.map(
    (row) => `${state.brands.byNumber(players.brandOf(row)).command.brand}:${players.playerId(row)}`,
  );
}

/** Those of the rows that take part in the current round, in the order asked for. */
export function ticketRecordsOf(
  state: LaneState,
  instance: Instance,
  rows: readonly number[],
): readonly TicketRecord[] {
  return rows.flatMap((row) => {
    if (!Number.isInteger(row) || row < 0 || row >= instance.players.size) return [];
    const record = ticketRecord(state, instance, row);
    return record === null ? [] : [record];
  });
}
