import type { Steps } from '../turns.ts';
import { type CountedPage, Order, type OrderedPage, type SortValue } from './sorted-order.ts';
import { type RowOptions, type SortedRow, SortedRows } from './sorted-row.ts';

/** How the items of a map can be sorted. */
interface SortedMapOptions<T, F extends string> extends RowOptions<T> {
  readonly fields: Readonly<Record<F, (item: T) => SortValue>>;
  /** The group of an item, which never changes: others are not looked at. Absent: all are one group. */
  readonly groups?: (item: T) => readonly string[];
  /** Fields that move all the time: their orders follow `moved`, and only when a page is asked for. */
  readonly moving?: readonly F[];
}

export interface PageRequest<T, F extends string> extends OrderedPage<T> {
  readonly field: F;
  /** null: all groups. */
  readonly group: string | null;
  /** Only items that have this value of the field. */
  readonly equal?: { readonly field: F; readonly value: SortValue } | null;
}

/** Orders that are kept; the one that was asked for longest ago goes. */
const maxOrders = 64;
/** Those that are made before a page asks for them. */
const maxWarmOrders = 32;
/** Items of the same value that a page sorts by itself. */
const maxSortedByPage = 1_000;

/** A map with pages of its items in the order of a field, which is made once and follows every change. */
export class SortedMap<T, F extends string> extends Map<string, T> {
  readonly #options: SortedMapOptions<T, F>;
  readonly #rows: SortedRows<T>;
  readonly #orders = new Map<string, Order<T>>();
  /** Keys of each group. */
  readonly #groups = new Map<string, Set<string>>();
  /** Those by moving fields. */
  #movingOrders: readonly Order<T>[] = [];

  constructor(options: SortedMapOptions<T, F>) {
    super();
    this.#options = options;
    this.#rows = new SortedRows(options);
  }

  override set(key: string, item: T): this {
    if (!this.has(key)) this.#enter(key, item);
    super.set(key, item);
    this.changed(key);
    return this;
  }

  override delete(key: string): boolean {
    const item = this.get(key);
    if (item !== undefined) this.#leave(key, item);
    for (const order of this.#orders.values()) order.delete(key);
    this.#rows.delete(key);
    return super.delete(key);
  }

  /** An item of the map has changed in place. */
  changed(key: string): void {
    const item = this.get(key);
    if (item === undefined) return;
    if (this.#orders.size === 0) {
      this.#rows.delete(key);
      return;
    }
    const row = this.#rows.renew(key, item);
    for (const order of this.#orders.values()) order.set(row);
  }

  /** Makes the orders of lists with `minItems` and more before a page asks for them. */
  *warm(minItems: number): Steps<void> {
    if (this.size < minItems) return;
    yield* this.#warmGroup(null);
    for (const [group, keys] of this.#groups) if (keys.size >= minItems) yield* this.#warmGroup(group);
  }

  /** A moving field of the item has changed in place. */
  moved(key: string): void {
    for (const order of this.#movingOrders) order.moved(key);
  }

  /** Every item may have another value of the field: its orders are made again when a page asks for them. */
  reorder(field: F): void {
    for (const name of this.#orders.keys()) if (isOf(field, name)) this.#orders.delete(name);
    this.#movingOrders = this.#ordersByMovingFields();
  }

  /** The page, in steps of about a millisecond; what changes between them may be in it or not. */
  *page(request: PageRequest<T, F>): Steps<readonly T[]> {
    return (yield* this.countedPage(request)).items;
  }

  *countedPage(request: PageRequest<T, F>): Steps<CountedPage<T>> {
    const { field, group, equal = null } = request;
    if (equal === null) return yield* (yield* this.#made(field, group)).page(request);
    const byValue = yield* this.#made(equal.field, group);
    if (equal.field === field) return yield* byValue.page(request, equal.value);
    if (byValue.countOf(equal.value) <= maxSortedByPage) return yield* this.#sortedByPage(byValue, request);
    const sortValueOf = this.#options.fields[equal.field];
    const { matches } = request;
    const isWanted = (item: T) => sortValueOf(item) === equal.value && (matches === null || matches(item));
    return yield* (yield* this.#made(field, group)).page({ ...request, matches: isWanted });
  }

  /** The few items that have the value, in the order of another field. */
  *#sortedByPage(byValue: Order<T>, request: PageRequest<T, F>): Steps<CountedPage<T>> {
    const order = new Order(this.#options.fields[request.field], () => true);
    yield* order.make(byValue.rowsWith(request.equal!.value));
    return yield* order.page(request);
  }

  *#made(field: F, group: string | null): Steps<Order<T>> {
    const order = this.#order(field, group);
    yield* order.make(this.#rowsOf(group));
    yield* order.settle((key) => this.#row(key));
    return order;
  }

  *#warmGroup(group: string | null): Steps<void> {
    for (const field of Object.keys(this.#options.fields) as F[]) {
      if (this.#orders.size >= maxWarmOrders) return;
      if (!this.#orders.has(nameOf(field, group))) yield* this.#order(field, group).make(this.#rowsOf(group));
    }
  }

  #order(field: F, group: string | null): Order<T> {
    const name = nameOf(field, group);
    const known = this.#orders.get(name);
    this.#orders.delete(name);
    // Pages that are being gathered keep the old one.
    const order =
      known === undefined || known.hasMovedMuch
        ? new Order(this.#options.fields[field], (item) => this.#isIn(group, item))
        : known;
    this.#orders.set(name, order);
    if (this.#orders.size > maxOrders) this.#orders.delete(this.#orders.keys().next().value as string);
    if (order !== known) this.#movingOrders = this.#ordersByMovingFields();
    return order;
  }

  *#rowsOf(group: string | null): Iterable<SortedRow<T>> {
    const keys = group === null ? this.keys() : (this.#groups.get(group) ?? []);
    for (const key of keys) {
      const row = this.#row(key);
      if (row !== undefined) yield row;
    }
  }

  #row(key: string): SortedRow<T> | undefined {
    const item = this.get(key);
    return item === undefined ? undefined : this.#rows.of(key, item);
  }

  #isIn(group: string | null, item: T): boolean {
    return group === null || this.#groupsOf(item).includes(group);
  }

  #groupsOf(item: T): readonly string[] {
    return this.#options.groups?.(item) ?? [];
  }

  #enter(key: string, item: T): void {
    for (const group of this.#groupsOf(item)) {
      const keys = this.#groups.get(group);
      if (keys === undefined) this.#groups.set(group, new Set([key]));
      else keys.add(key);
    }
  }

  #leave(key: string, item: T): void {
    for (const group of this.#groupsOf(item)) {
      const keys = this.#groups.get(group);
      keys?.delete(key);
      if (keys?.size === 0) this.#groups.delete(group);
    }
  }

  #ordersByMovingFields(): readonly Order<T>[] {
    const { moving = [] } = this.#options;
    const isMoving = (name: string) => moving.some((field) => isOf(field, name));
    return [...this.#orders].filter(([name]) => isMoving(name)).map(([, order]) => order);
  }
}

/** Whether the order with that name sorts by the field. */
function isOf(field: string, name: string): boolean {
  return name === field || name.startsWith(`${field} `);
}

function nameOf(field: string, group: string | null): string {
  return group === null ? field : `${field} ${group}`;
}
