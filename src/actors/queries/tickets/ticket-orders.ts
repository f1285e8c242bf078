import type { LaneEngine } from '../../../jackpot/lane/lane.ts';
import { sortedIndices } from '../../../lib/merge-sort.ts';
import type { Steps } from '../../../lib/turns.ts';
import type { LaneQuery, TicketField, TicketPosition } from '../../../messages/queries.ts';
import { isNameField, type NameField, NameOrder } from './name-order.ts';

type TicketEngine = Pick<LaneEngine, 'ticketRows' | 'ticketNames' | 'brandPath'>;

const looksPerStep = 50_000;

/** Which participants, and which page of them. */
export type TicketPlace = Omit<Extract<LaneQuery, { kind: 'ticket_page' }>, 'kind' | 'instance'>;

/** A page of the participants' rows. */
export interface TicketRowsPage {
  readonly rows: readonly number[];
  /** Participants of all pages. */
  readonly total: number;
  /** Whether more come behind the rows. */
  readonly hasMore: boolean;
  /** Where one of these rows is in the order. */
  positionOf(row: number): TicketPosition;
}

/** The participants of a round as columns, and the orders of lists, made when first asked for. */
export class TicketOrders {
  readonly round: number;
  readonly rows: Uint32Array;
  readonly #engine: TicketEngine;
  readonly #tickets: Float64Array;
  readonly #atoms: BigUint64Array;
  readonly #brands: Uint16Array;
  /** By brand. */
  readonly #participants = new Map<number, number>();
  readonly #byNumber = new Map<TicketField, Uint32Array>();
  readonly #byName: ReadonlyMap<NameField, NameOrder>;

  private constructor(
    engine: TicketEngine,
    instance: string,
    { round, rows, tickets, atoms, brands }: Columns,
    before: TicketOrders | null,
  ) {
    this.round = round;
    this.#engine = engine;
    this.rows = Uint32Array.from(rows);
    this.#tickets = Float64Array.from(tickets);
    this.#atoms = BigUint64Array.from(atoms);
    this.#brands = Uint16Array.from(brands);
    const counts: number[] = [];
    for (const brand of brands) counts[brand] = (counts[brand] ?? 0) + 1;
    counts.forEach((count, brand) => void this.#participants.set(brand, count));
    const nameOf = (row: number): string => engine.ticketNames(instance, [row])?.[0] ?? '';
    this.#byName = new Map(
      (['player_id', 'ext_player_id'] as const).map((field) => [
        field,
        new NameOrder(field, this.rows, nameOf, before === null ? null : (before.#byName.get(field) ?? null)),
      ]),
    );
  }

  /** Reads the participants; null: there is no such instance. Orders by name go on from those of `before`. */
  static *read(
    engine: TicketEngine,
    instance: string,
    before: TicketOrders | null,
  ): Steps<TicketOrders | null> {
    const columns: Columns = { round: 0, rows: [], tickets: [], atoms: [], brands: [] };
    for (let fromRow: number | null = 0; fromRow !== null; ) {
      const slice: ReturnType<TicketEngine['ticketRows']> = engine.ticketRows(instance, fromRow);
      if (slice === null) return null;
      columns.round = slice.round;
      append(columns.rows, slice.rows);
      append(columns.tickets, slice.tickets);
      append(columns.atoms, slice.accumulatedAtoms);
      append(columns.brands, slice.brands);
      fromRow = slice.next;
      if (fromRow !== null) yield;
    }
    return new TicketOrders(engine, instance, columns, before?.round === columns.round ? before : null);
  }

  *page({ owners, field, direction, offset, limit, after }: TicketPlace): Steps<TicketRowsPage> {
    const order = yield* this.order(field);
    const { length } = this.rows;
    const isWanted = this.#filter(owners);
    const start = after === undefined ? 0 : this.#placeBehind(order, field, direction, after);
    const found: number[] = [];
    let left = isWanted === null ? 0 : offset;
    let looked = 0;
    let place = isWanted === null ? start + offset : start;
    // One more than the page shows tells whether there is another.
    for (; place < length && found.length <= limit; place += 1) {
      const at = direction === 1 ? place : length - 1 - place;
      const index = order === null ? at : order[at]!;
      looked += 1;
      if (looked % looksPerStep === 0) yield;
      if (isWanted !== null && !isWanted.has(this.#brands[index]!)) continue;
      if (left > 0) left -= 1;
      else found.push(index);
    }
    const shown = found.slice(0, limit);
    const indexOf = new Map(shown.map((index) => [this.rows[index]!, index]));
    return {
      rows: [...indexOf.keys()],
      total: this.#count(isWanted),
      hasMore: found.length > limit,
      positionOf: (row) => ({ value: String(this.#value(field, indexOf.get(row)!)), row }),
    };
  }

  #count(isWanted: ReadonlySet<number> | null): number {
    const counts = [...this.#participants].map(([brand, count]) =>
      isWanted?.has(brand) === false ? 0 : count,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The first place in that direction behind a position, whether its participant is still there or not. */
  #placeBehind(
    order: Uint32Array | null,
    field: TicketField,
    direction: 1 | -1,
    { value, row }: TicketPosition,
  ): number {
    const sought = read(field, value);
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const index = order === null ? middle : order[middle]!;
      const there = this.#value(field, index);
      const tie = this.rows[index]!;
      const isBefore = there < sought || (there === sought && (direction === 1 ? tie <= row : tie < row));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return direction === 1 ? low : this.rows.length - low;
  }

  /** What a participant is ordered by. */
  #value(field: TicketField, index: number): TicketValue {
    if (field === 'ticket_count') return this.#tickets[index]!;
    if (field === 'accumulated_cost') return this.#atoms[index]!;
    if (field === 'brand_id') return this.#engine.brandPath(this.#brands[index]!);
    return isNameField(field) ? this.#byName.get(field)!.nameAt(index) : '';
  }

  /** Indices of the columns in the order of a field; null: as they are. */
  *order(field: TicketField): Steps<Uint32Array | null> {
    // Players of one brand have the same order by both ids.
    if (field === 'ext_player_id' && this.#participants.size === 1) return yield* this.order('player_id');
    if (isNameField(field)) return yield* this.#byName.get(field)!.make();
    const values = this.#values(field);
    if (values === null) return null;
    const known = this.#byNumber.get(field);
    if (known !== undefined) return known;
    const compare = (a: number, b: number) =>
      values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0;
    const made = yield* sortedIndices(this.rows.length, compare);
    this.#byNumber.set(field, made);
    return made;
  }

  /** null: all are equal. */
  #values(field: TicketField): ArrayLike<number> | ArrayLike<bigint> | null {
    if (field === 'ticket_count') return this.#tickets;
    if (field === 'accumulated_cost') return this.#atoms;
    if (field !== 'brand_id' || this.#participants.size < 2) return null;
    const paths = new Map(
      [...this.#participants.keys()].map((brand) => [brand, this.#engine.brandPath(brand)]),
    );
    const inOrder = [...paths.values()].sort();
    const ranks = new Map([...paths].map(([brand, path]) => [brand, inOrder.indexOf(path)]));
    return this.#brands.map((brand) => ranks.get(brand)!);
  }

  /** Numbers of the brands that are listed; null: all participants are. */
  #filter(owners: readonly string[]): ReadonlySet<number> | null {
    if (owners.length === 0) return null;
    const wanted = [...this.#participants.keys()].filter((brand) => {
      const path = this.#engine.brandPath(brand);
      return owners.includes(path) || owners.includes(path.slice(0, path.indexOf(':')));
    });
    return wanted.length === this.#participants.size ? null : new Set(wanted);
  }
}

type TicketValue = string | number | bigint;

/** A value as `String` wrote it; what it never writes comes before all. */
function read(field: TicketField, text: string): TicketValue {
  if (field === 'ticket_count') return /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (field === 'accumulated_cost') return /^\d{1,40}$/.test(text) ? BigInt(text) : -1n;
  return text;
}

interface Columns {
  round: number;
  readonly rows: number[];
  readonly tickets: number[];
  readonly atoms: bigint[];
  readonly brands: number[];
}

function append<T>(column: T[], values: readonly T[]): void {
  for (const value of values) column.push(value);
}
