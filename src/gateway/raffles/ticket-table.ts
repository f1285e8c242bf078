import type { KnownInstance } from '../../directory/lane-view.ts';
import { PublicError } from '../errors.ts';
import type { LaneClient } from '../lane-client.ts';
import { sortedIndices } from './merge-sort.ts';

/** The fields that tickets can be sorted by. The times are those of the round, and the same for all. */
export const ticketFields = [
  'player_id',
  'ext_player_id',
  'brand_id',
  'ticket_count',
  'accumulated_cost',
  'timestamp_start',
  'timestamp_end',
] as const;
export type TicketField = (typeof ticketFields)[number];

const namedFields: ReadonlySet<TicketField> = new Set(['player_id', 'ext_player_id', 'brand_id']);
export const needsNames = (field: TicketField | null): boolean => field !== null && namedFields.has(field);

/** The participants of a raffle's round, as columns: the lane gives them in slices of bounded work. */
export class TicketTable {
  readonly #rows: number[] = [];
  readonly #tickets: number[] = [];
  readonly #atoms: bigint[] = [];
  readonly #players: string[] = [];
  readonly #orders = new Map<TicketField, Promise<Uint32Array>>();

  get size(): number {
    return this.#rows.length;
  }

  /** Reads until the table has so many rows, or all. */
  async load(
    { query }: Pick<LaneClient, 'query'>,
    { lane, description: { instance } }: KnownInstance,
    owners: readonly string[],
    named: boolean,
    count: number,
  ): Promise<void> {
    let fromRow: number | null = 0;
    while (fromRow !== null && this.size < count) {
      const answer = await query(lane, { kind: 'ticket_rows', instance, owners, fromRow, named });
      if (answer.kind !== 'ticket_rows') throw new PublicError('overloaded');
      append(this.#rows, answer.rows);
      append(this.#tickets, answer.tickets);
      append(this.#atoms, answer.accumulatedAtoms);
      append(this.#players, answer.players);
      fromRow = answer.next;
    }
  }

  /** Rows of the lane; without a field in the order in which the players came. Ties keep that order. */
  async page(
    field: TicketField | null,
    direction: 1 | -1,
    offset: number,
    limit: number,
  ): Promise<readonly number[]> {
    const order = field === null ? null : await this.#order(field);
    const rows: number[] = [];
    for (let place = offset; place < Math.min(offset + limit, this.size); place += 1) {
      const at = direction === 1 ? place : this.size - 1 - place;
      rows.push(this.#rows[order === null ? at : order[at]!]!);
    }
    return rows;
  }

  #order(field: TicketField): Promise<Uint32Array> {
    let order = this.#orders.get(field);
    if (order === undefined) {
      order = sortedIndices(this.size, this.#comparison(field));
      this.#orders.set(field, order);
    }
    return order;
  }

  #comparison(field: TicketField): (a: number, b: number) => number {
    const tickets = this.#tickets;
    const atoms = this.#atoms;
    const players = this.#players;
    switch (field) {
      case 'ticket_count':
        return (a, b) => tickets[a]! - tickets[b]!;
      case 'accumulated_cost':
        return (a, b) => order(atoms[a]!, atoms[b]!);
      case 'player_id':
        return (a, b) => order(players[a]!, players[b]!);
      case 'ext_player_id':
        return (a, b) => order(playerOf(players[a]!), playerOf(players[b]!));
      case 'brand_id':
        return (a, b) => order(brandOfPlayer(players[a]!), brandOfPlayer(players[b]!));
      default:
        return () => 0;
    }
  }
}

function append<T>(column: T[], values: readonly T[]): void {
  for (const value of values) column.push(value);
}

function order<V extends string | bigint>(a: V, b: V): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `operator:brand:player`; a player's id may have colons, the others have none. */
function endOfBrand(name: string): number {
  return name.indexOf(':', name.indexOf(':') + 1);
}

function playerOf(name: string): string {
  return name.slice(endOfBrand(name) + 1);
}

function brandOfPlayer(name: string): string {
  return name.slice(0, endOfBrand(name));
}
