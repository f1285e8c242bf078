import type { TicketRecord, TicketRows } from '../../messages/records.ts';
import { brandFilter } from '../state/brand-filter.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { idLengthBrandAt, raffleRoundAt, segmentRows } from '../state/player-segment.ts';
import { holdingOf } from './holding.ts';
import { shownTickets, ticketRecord } from './ticket-event.ts';

/** Players that one answer looks at, and that it names: a millisecond's work at most. */
const rowsPerAnswer = 2 * segmentRows;
const namedPerAnswer = 2_048;
const namesLength = 128 * 1024;

/** The participants of the current round from a row on, as columns to sort by. */
export function ticketRowsOf(
  state: LaneState,
  instance: Instance,
  owners: readonly string[],
  fromRow: number,
  named: boolean,
): TicketRows {
  const { players, raffle } = instance;
  const round = raffle?.round ?? null;
  const first = Math.max(0, Math.floor(fromRow));
  const found = {
    rows: [] as number[],
    tickets: [] as number[],
    atoms: [] as bigint[],
    players: [] as string[],
  };
  const end = round === null ? 0 : Math.min(players.size, first + rowsPerAnswer);
  const isWanted = brandFilter(state, owners);
  let names = 0;
  let row = first;
  for (; row < end; row += 1) {
    if (named && (found.rows.length >= namedPerAnswer || names >= namesLength)) break;
    const at = players.at(row);
    const words = players.segmentOf(row).rows;
    if (words[at + players.raffleAt + raffleRoundAt] !== round!.number) continue;
    if (isWanted !== null && !isWanted(words[at + idLengthBrandAt]! >>> 16)) continue;
    const holding = holdingOf(instance, row);
    if (holding === null) continue;
    found.rows.push(row);
    found.tickets.push(shownTickets(instance, round!, row, holding));
    found.atoms.push(holding.costAtoms);
    if (!named) continue;
    const name = `${state.brands.byNumber(players.brandOf(row)).command.brand}:${players.playerId(row)}`;
    names += name.length;
    found.players.push(name);
  }
  const next = round === null || row >= players.size ? null : row;
  return {
    rows: found.rows,
    tickets: found.tickets,
    accumulatedAtoms: found.atoms,
    players: found.players,
    next,
  };
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
