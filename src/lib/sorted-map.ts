import { Order, type OrderedPage, type SortValue } from './sorted-order.ts';
import type { Steps } from './steps.ts';

/** How the items of a map can be sorted. */
export interface SortedMapOptions<T, F extends string> {
  readonly fields: Readonly<Record<F, (item: T) => SortValue>>;
  /** Sorts items of the same value. Unique, and never changes. */
  readonly tie: (item: T) => string;
  /** Items of a group are found without a look at the others. Never changes. Absent: all items are one group. */
  readonly group?: (item: T) => string;
  /** Fields that move all the time: their orders follow `moved`, and only when a page is asked for. */
  readonly moving?: readonly F[];
}

export interface PageRequest<T, F extends string> extends OrderedPage<T> {
  readonly field: F;
  /** null: all groups. */
  readonly group: string | null;
}

/** Orders that are kept; the one that was asked for longest ago goes. */
const maxOrders = 64;
/** Of these, those that are made before a page asks for them. */
const maxWarmOrders = 32;

/**
 * A map that gives pages of its items in the order of a field. An order is made when a page first asks for it, follows
 * every change from then on, and costs a page no sort of all items.
 */
export class SortedMap<T, F extends string> extends Map<string, T> {
  readonly #options: SortedMapOptions<T, F>;
  readonly #orders = new Map<string, Order<T>>();
  /** Items of each group. */
  readonly #groupSizes = new Map<string, number>();
  /** Those by moving fields. */
  #movingOrders: readonly Order<T>[] = [];

  constructor(options: SortedMapOptions<T, F>) {
    super();
    this.#options = options;
  }

  override set(key: string, item: T): this {
    if (!this.has(key)) this.#count(item, 1);
    super.set(key, item);
    for (const order of this.#orders.values()) order.set(key, item);
    return this;
  }

  override delete(key: string): boolean {
    const item = this.get(key);
    if (item !== undefined) this.#count(item, -1);
    for (const order of this.#orders.values()) order.delete(key);
    return super.delete(key);
  }

  /** An item of the map has changed in place. */
  changed(key: string): void {
    const item = this.get(key);
    if (item !== undefined) for (const order of this.#orders.values()) order.set(key, item);
  }

  /** Makes the orders of lists with so many items, of all and of each group, before a page asks for them. */
  *warm(minItems: number): Steps<void> {
    if (this.size < minItems) return;
    yield* this.#warmGroup(null);
    for (const [group, size] of this.#groupSizes) if (size >= minItems) yield* this.#warmGroup(group);
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
    const order = this.#order(request.field, request.group);
    yield* order.make(this);
    yield* order.settle(this);
    return yield* order.page(request);
  }

  *#warmGroup(group: string | null): Steps<void> {
    for (const field of Object.keys(this.#options.fields) as F[]) {
      if (this.#orders.size >= maxWarmOrders) return;
      if (!this.#orders.has(nameOf(field, group))) yield* this.#order(field, group).make(this);
    }
  }

  #order(field: F, group: string | null): Order<T> {
    const name = nameOf(field, group);
    const known = this.#orders.get(name);
    this.#orders.delete(name);
    // Pages that are being gathered keep the old one.
    const order =
      known === undefined || known.hasMovedMuch
        ? new Order(this.#options.fields[field], this.#options.tie, this.#options.group ?? oneGroup, group)
        : known;
    this.#orders.set(name, order);
    if (this.#orders.size > maxOrders) this.#orders.delete(this.#orders.keys().next().value as string);
    if (order !== known) this.#movingOrders = this.#ordersByMovingFields();
    return order;
  }

  #count(item: T, change: 1 | -1): void {
    const group = this.#options.group?.(item);
    if (group === undefined) return;
    const size = (this.#groupSizes.get(group) ?? 0) + change;
    if (size === 0) this.#groupSizes.delete(group);
    else this.#groupSizes.set(group, size);
  }

  #ordersByMovingFields(): readonly Order<T>[] {
    const { moving = [] } = this.#options;
    const isMoving = (name: string) => moving.some((field) => isOf(field, name));
    return [...this.#orders].filter(([name]) => isMoving(name)).map(([, order]) => order);
  }
}

const oneGroup = (): string => '';

/** Whether the order with that name sorts by the field. */
function isOf(field: string, name: string): boolean {
  return name === field || name.startsWith(`${field} `);
}

function nameOf(field: string, group: string | null): string {
  return group === null ? field : `${field} ${group}`;
}
