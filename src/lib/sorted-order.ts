import type { Steps } from './steps.ts';

export type SortValue = string | number;

interface Place<T> {
  readonly value: SortValue;
  readonly tie: string;
  readonly item: T;
}

/** What a page shows of an order. */
export interface OrderedPage<T> {
  readonly direction: 1 | -1;
  /** Items to leave out at the start, and at most to give. */
  readonly offset: number;
  readonly limit: number;
  /** null: all items; then a page costs the same wherever it is. */
  readonly matches: ((item: T) => boolean) | null;
}

/** Items that one step looks at: below a millisecond. */
const itemsPerStep = 2_000;
/** Items of a run that one step sorts, and items that one step merges: about a millisecond. */
const itemsPerRun = 1_000;
const mergedPerStep = 10_000;
/** Moved items that one step puts to their new places: below a millisecond. */
const movesPerStep = 250;
/** Where more than this part of its items has moved, an order is made again, which costs less. */
const maxMovedPart = 0.125;

/** The items of a sorted map, or of a group of it, in the order of a field. */
export class Order<T> {
  readonly #value: (item: T) => SortValue;
  readonly #tie: (item: T) => string;
  readonly #groupOf: (item: T) => string;
  readonly #group: string | null;
  #sorted: Place<T>[] = [];
  readonly #byKey = new Map<string, Place<T>>();
  /** Keys of items that are at the places where they were. */
  readonly #moved = new Set<string>();
  #making: Steps<void> | null = null;
  #isMade = false;

  constructor(
    value: (item: T) => SortValue,
    tie: (item: T) => string,
    groupOf: (item: T) => string,
    group: string | null,
  ) {
    this.#value = value;
    this.#tie = tie;
    this.#groupOf = groupOf;
    this.#group = group;
  }

  /** Takes in what is there. What changes meanwhile is put to its place at the end; several callers make it together. */
  *make(items: ReadonlyMap<string, T>): Steps<void> {
    this.#making ??= this.#sort(items);
    while (!this.#isMade) {
      this.#making.next();
      if (!this.#isMade) yield;
    }
  }

  /** Runs of a step's items are sorted, and then merged in steps. */
  *#sort(items: ReadonlyMap<string, T>): Steps<void> {
    let runs: Place<T>[][] = [];
    let run: Place<T>[] = [];
    let looked = 0;
    for (const [key, item] of items) {
      looked += 1;
      // One that was taken out and put back meanwhile comes twice.
      if (!this.#byKey.has(key) && this.#isMember(item)) {
        const place = this.#placeOf(item);
        this.#byKey.set(key, place);
        run.push(place);
      }
      if (looked % itemsPerRun !== 0) continue;
      runs.push(run.sort(compare));
      run = [];
      yield;
    }
    runs.push(run.sort(compare));
    while (runs.length > 1) {
      const merged: Place<T>[][] = [];
      for (let at = 0; at < runs.length; at += 2) {
        const [left, right] = [runs[at]!, runs[at + 1]];
        merged.push(right === undefined ? left : yield* merge(left, right));
      }
      runs = merged;
    }
    this.#sorted = runs[0]!;
    this.#isMade = true;
  }

  get hasMovedMuch(): boolean {
    return this.#isMade && this.#moved.size > maxMovedPart * this.#byKey.size;
  }

  moved(key: string): void {
    if (!this.#isMade || this.#byKey.has(key)) this.#moved.add(key);
  }

  /** Puts what has moved so far to its place. */
  *settle(items: ReadonlyMap<string, T>): Steps<void> {
    let left = this.#moved.size;
    let placed = 0;
    for (const key of this.#moved) {
      if (left === 0) return;
      left -= 1;
      this.#moved.delete(key);
      const item = items.get(key);
      if (item === undefined) this.delete(key);
      else this.set(key, item);
      placed += 1;
      if (placed % movesPerStep === 0) yield;
    }
  }

  set(key: string, item: T): void {
    if (!this.#isMade) {
      this.#moved.add(key);
      return;
    }
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
    if (!this.#isMade) {
      this.#moved.add(key);
      return;
    }
    const place = this.#byKey.get(key);
    if (place === undefined) return;
    this.#byKey.delete(key);
    this.#sorted.splice(this.#indexOf(place), 1);
  }

  *page({ direction, offset, limit, matches }: OrderedPage<T>): Steps<readonly T[]> {
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
}

/** Two sorted runs as one, in steps. */
function* merge<T>(left: readonly Place<T>[], right: readonly Place<T>[]): Steps<Place<T>[]> {
  const merged: Place<T>[] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    const takesLeft = b === right.length || (a < left.length && compare(left[a]!, right[b]!) <= 0);
    merged.push(takesLeft ? left[a++]! : right[b++]!);
    if (merged.length % mergedPerStep === 0) yield;
  }
  return merged;
}

function compare(a: Place<unknown>, b: Place<unknown>): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0;
}
