import type { Steps } from './steps.ts';

type Value = string | number;

interface Place<T> {
  readonly value: Value;
  readonly tie: string;
  readonly item: T;
}

/** How the items of a map can be sorted. */
export interface SortedMapOptions<T, F extends string> {
  readonly fields: Readonly<Record<F, (item: T) => Value>>;
  /** Sorts items of the same value. Unique, and never changes. */
  readonly tie: (item: T) => string;
  /** Items of a group are found without a look at the others. Never changes. */
  readonly group: (item: T) => string;
}

export interface PageRequest<T, F extends string> {
  readonly field: F;
  readonly direction: 1 | -1;
  /** Items to leave out at the start, and at most to give. */
  readonly offset: number;
  readonly limit: number;
  /** null: all groups. */
  readonly group: string | null;
  /** null: all items; then a page costs the same wherever it is. */
  readonly matches: ((item: T) => boolean) | null;
}

/** Items that one step looks at: below a millisecond. */
const itemsPerStep = 2_000;
/** Orders that are kept; the one that was asked for longest ago goes. */
const maxOrders = 64;

/**
 * A map that gives pages of its items in the order of a field. An order is made when a page first asks for it, follows
 * every change from then on, and costs a page no sort of all items.
 */
export class SortedMap<T, F extends string> extends Map<string, T> {
  readonly #options: SortedMapOptions<T, F>;
  readonly #orders = new Map<string, Order<T>>();

  constructor(options: SortedMapOptions<T, F>) {
    super();
    this.#options = options;
  }

  override set(key: string, item: T): this {
    super.set(key, item);
    for (const order of this.#orders.values()) order.set(key, item);
    return this;
  }

  override delete(key: string): boolean {
    for (const order of this.#orders.values()) order.delete(key);
    return super.delete(key);
  }

  /** An item of the map has changed in place. */
  changed(key: string): void {
    const item = this.get(key);
    if (item !== undefined) for (const order of this.#orders.values()) order.set(key, item);
  }

  /** The page, in steps of about a millisecond; what changes between them may be in it or not. */
  *page(request: PageRequest<T, F>): Steps<readonly T[]> {
    const order = this.#order(request.field, request.group);
    yield* order.make(this);
    return yield* order.page(request);
  }

  #order(field: F, group: string | null): Order<T> {
    const name = group === null ? field : `${field} ${group}`;
    const known = this.#orders.get(name);
    this.#orders.delete(name);
    const order =
      known ?? new Order(this.#options.fields[field], this.#options.tie, this.#options.group, group);
    this.#orders.set(name, order);
    if (this.#orders.size > maxOrders) this.#orders.delete(this.#orders.keys().next().value as string);
    return order;
  }
}

class Order<T> {
  readonly #value: (item: T) => Value;
  readonly #tie: (item: T) => string;
  readonly #groupOf: (item: T) => string;
  readonly #group: string | null;
  readonly #sorted: Place<T>[] = [];
  readonly #byKey = new Map<string, Place<T>>();
  #isMade = false;

  constructor(
    value: (item: T) => Value,
    tie: (item: T) => string,
    groupOf: (item: T) => string,
    group: string | null,
  ) {
    this.#value = value;
    this.#tie = tie;
    this.#groupOf = groupOf;
    this.#group = group;
  }

  /** Takes in what is there. Changes meanwhile come through set and delete; several callers make it together. */
  *make(items: ReadonlyMap<string, T>): Steps<void> {
    if (this.#isMade) return;
    let looked = 0;
    let added: Place<T>[] = [];
    for (const [key, item] of items) {
      if (!this.#byKey.has(key) && this.#isMember(item)) {
        const place = this.#placeOf(item);
        this.#byKey.set(key, place);
        added.push(place);
      }
      looked += 1;
      if (looked % itemsPerStep !== 0) continue;
      this.#merge(added);
      added = [];
      yield;
      if (this.#isMade) return;
    }
    this.#merge(added);
    this.#isMade = true;
  }

  set(key: string, item: T): void {
    if (!this.#isMember(item)) {
      this.delete(key);
      return;
    }
    const place = this.#placeOf(item);
    const before = this.#byKey.get(key);
    this.#byKey.set(key, place);
    if (before !== undefined) {
      const index = this.#indexOf(before);
      if (compare(before, place) === 0) {
        this.#sorted[index] = place;
        return;
      }
      this.#sorted.splice(index, 1);
    }
    this.#sorted.splice(this.#indexOf(place), 0, place);
  }

  delete(key: string): void {
    const place = this.#byKey.get(key);
    if (place === undefined) return;
    this.#byKey.delete(key);
    this.#sorted.splice(this.#indexOf(place), 1);
  }

  *page({ direction, offset, limit, matches }: PageRequest<T, string>): Steps<readonly T[]> {
    const sorted = this.#sorted;
    const first = direction === 1 ? 0 : sorted.length - 1;
    const found: T[] = [];
    let at = matches === null ? first + direction * offset : first;
    let left = matches === null ? 0 : offset;
    for (let looked = 1; found.length < limit && at >= 0 && at < sorted.length; looked += 1) {
      const place = sorted[at]!;
      if (matches === null || matches(place.item)) {
        if (left > 0) left -= 1;
        else found.push(place.item);
      }
      at += direction;
      if (looked % itemsPerStep !== 0) continue;
      yield;
      at = this.#behind(place, direction);
    }
    return found;
  }

  #isMember(item: T): boolean {
    return this.#group === null || this.#groupOf(item) === this.#group;
  }

  #placeOf(item: T): Place<T> {
    return { value: this.#value(item), tie: this.#tie(item), item };
  }

  /** Where the place is, or would be. */
  #indexOf(place: Place<T>): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.#sorted[middle]!, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The next index in that direction, whether the place is still there or not. */
  #behind(place: Place<T>, direction: 1 | -1): number {
    const index = this.#indexOf(place);
    if (direction === -1) return index - 1;
    const present = this.#sorted[index];
    return present !== undefined && compare(present, place) === 0 ? index + 1 : index;
  }

  /** Puts a step's worth of new places among the others. */
  #merge(added: Place<T>[]): void {
    if (added.length === 0) return;
    added.sort(compare);
    const sorted = this.#sorted;
    let from = sorted.length - 1;
    let next = added.length - 1;
    sorted.length += added.length;
    for (let to = sorted.length - 1; next >= 0; to -= 1) {
      const takesOld = from >= 0 && compare(sorted[from]!, added[next]!) > 0;
      sorted[to] = takesOld ? sorted[from--]! : added[next--]!;
    }
  }
}

function compare(a: Place<unknown>, b: Place<unknown>): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0;
}
