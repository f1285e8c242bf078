import type { TicketRecord } from '../../../messages/records.ts';
import { holdingOf, shownTickets, ticketRecord } from '../../rules/raffles/tickets.ts';
import type { Brand } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { idLengthBrandAt, raffleRoundAt, segmentRows } from '../../state/players/player-segment.ts';

/** Which records of the current round are wanted; empty brand or player: any. */
export interface TicketQuestion {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  /** In the order in which the players appeared, or the other way round. */
  readonly newestFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Ticket records of the current round (O5, O6). A jackpot has none. */
export function ticketsOf(
  state: LaneState,
  instance: Instance,
  question: TicketQuestion,
): readonly TicketRecord[] {
  if (instance.raffle === null) return [];
  if (question.player !== '')
    return page(ofPlayer(state, instance, question.brand, question.player), question);
  const brand = question.brand === '' ? null : state.brands.get(question.brand);
  if ((brand === null && question.brand !== '') || question.limit <= 0) return [];
  const found: TicketRecord[] = [];
  for (const row of rowsOf(instance, brand, question)) {
    const record = ticketRecord(state, instance, row);
    if (record !== null) found.push(record);
    if (found.length >= question.limit) break;
  }
  return found;
}

/** A player's records over the lane's active raffles (O7), in the order of their creation. */
export function ticketsOfPlayer(
  state: LaneState,
  brand: string,
  player: string,
  offset: number,
  limit: number,
): readonly TicketRecord[] {
  const found: TicketRecord[] = [];
  for (const instance of state.instances.values()) {
    if (found.length >= offset + limit) break;
    if (instance.raffle !== null && instance.status === 'Active') {
      found.push(...ofPlayer(state, instance, brand, player));
    }
  }
  return found.slice(offset, offset + limit);
}

/** The player's records, of one brand or of all that know the id. */
function ofPlayer(
  state: LaneState,
  instance: Instance,
  brandPath: string,
  player: string,
): readonly TicketRecord[] {
  const brands = brandPath === '' ? state.brands.commands().map((each) => each.brand) : [brandPath];
  return brands.flatMap((path) => {
    const brand = state.brands.get(path);
    const row = brand === null ? -1 : instance.players.find(brand.number, player);
    const record = row < 0 ? null : ticketRecord(state, instance, row);
    return record === null ? [] : [record];
  });
}

function page(records: readonly TicketRecord[], { offset, limit }: TicketQuestion): readonly TicketRecord[] {
  return records.slice(offset, offset + limit);
}

/** Rows of the current round after the first `offset`: segments are read word by word. */
function* rowsOf(
  { players, raffle }: Instance,
  brand: Brand | null,
  { newestFirst, offset }: TicketQuestion,
): Iterable<number> {
  const round = raffle?.round?.number ?? 0;
  const { segments, stride, raffleAt } = players;
  let skipped = 0;
  for (let i = 0; i < segments.length; i++) {
    const number = newestFirst ? segments.length - 1 - i : i;
    const { rows, count } = segments[number]!;
    for (let j = 0; j < count; j++) {
      const place = newestFirst ? count - 1 - j : j;
      const at = place * stride;
      if (rows[at + raffleAt + raffleRoundAt] !== round) continue;
      if (brand !== null && rows[at + idLengthBrandAt]! >>> 16 !== brand.number) continue;
      if (skipped++ < offset) continue;
      yield number * segmentRows + place;
    }
  }
}

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
