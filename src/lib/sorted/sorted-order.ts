import type { Steps } from '../turns.ts';
import type { SortedRow, TextFilter } from './sorted-row.ts';

export type SortValue = string | number;

interface Place<T> {
  readonly value: SortValue;
  readonly row: SortedRow<T>;
}

/** A row's place in an order, whether it is still there or not. */
interface SortPosition {
  readonly value: SortValue;
  readonly tie: string;
}

/** A page, and what lies around it. */
export interface CountedPage<T> {
  readonly items: readonly T[];
  /** Items of all pages, as far as they were counted. */
  readonly total: number;
  /** The page's last row; null: none comes after it. */
  readonly last: SortPosition | null;
}

/** What a page shows of an order. */
export interface OrderedPage<T> {
  readonly direction: 1 | -1;
  /** Items to leave out at the start, and at most to give. */
  readonly offset: number;
  readonly limit: number;
  /** Which items are shown, and the part their text must have. Both null: all, each page at the same cost. */
  readonly matches: ((item: T) => boolean) | null;
  readonly text?: TextFilter | null;
  /** Shows what comes behind this row; `offset` is then 0. */
  readonly after?: SortPosition | null;
  /** Looks whether more comes, and counts the items up to here and one more; null: neither. */
  readonly countsTo?: number | null;
}

/** What one step looks at, below a millisecond: an item's marks count as one, all of it as ten. */
const looksPerStep = 20_000;
const looksOfWholeItem = 10;
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
  readonly #isMember: (item: T) => boolean;
  #sorted: Place<T>[] = [];
  readonly #byKey = new Map<string, Place<T>>();
  /** Keys of items that are at the places where they were. */
  readonly #moved = new Set<string>();
  #making: Steps<void> | null = null;
  #isMade = false;

  constructor(value: (item: T) => SortValue, isMember: (item: T) => boolean) {
    this.#value = value;
    this.#isMember = isMember;
  }

  /** Sorts what is there; what changes meanwhile is placed at the end. Several callers make it together. */
  *make(rows: Iterable<SortedRow<T>>): Steps<void> {
    this.#making ??= this.#sort(rows);
    while (!this.#isMade) {
      this.#making.next();
      if (!this.#isMade) yield;
    }
  }

  /** Runs of a step's items are sorted, and then merged in steps. */
  *#sort(rows: Iterable<SortedRow<T>>): Steps<void> {
    let runs: Place<T>[][] = [];
    let run: Place<T>[] = [];
    let looked = 0;
    for (const row of rows) {
      looked += 1;
      // One that was taken out and put back meanwhile comes twice.
      if (!this.#byKey.has(row.key) && this.#isMember(row.item)) {
        const place = this.#placeOf(row);
        this.#byKey.set(row.key, place);
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
  *settle(rowOf: (key: string) => SortedRow<T> | undefined): Steps<void> {
    let left = this.#moved.size;
    let placed = 0;
    for (const key of this.#moved) {
      if (left === 0) return;
      left -= 1;
      this.#moved.delete(key);
      const row = rowOf(key);
      if (row === undefined) this.delete(key);
      else this.set(row);
      placed += 1;
      if (placed % movesPerStep === 0) yield;
    }
  }

  set(row: SortedRow<T>): void {
    const { key } = row;
    if (!this.#isMade) {
      this.#moved.add(key);
      return;
    }
    if (!this.#isMember(row.item)) {
      this.delete(key);
      return;
    }
    const place = this.#placeOf(row);
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

  /** `value`: only items that have it. */
  *page(
    { direction, offset, limit, matches, text = null, after = null, countsTo = null }: OrderedPage<T>,
    value: SortValue | null = null,
  ): Steps<CountedPage<T>> {
    const sorted = this.#sorted;
    const isWhole = matches === null && text === null;
    const found: T[] = [];
    let last: SortPosition | null = null;
    let hasMore = false;
    let total = 0;
    let at = after === null ? this.#first(direction, value) : this.#behind(after, direction);
    if (isWhole) at += direction * offset;
    let left = isWhole ? 0 : offset;
    let looks = 0;
    // Without a filter the order itself knows how many there are.
    const maxCounted = isWhole ? 0 : (countsTo ?? 0);
    const isOver = (): boolean =>
      found.length >= limit && (countsTo === null || (hasMore && total > maxCounted));
    while (!isOver() && at >= 0 && at < sorted.length) {
      const place = sorted[at]!;
      if (value !== null && place.value !== value) break;
      const { row } = place;
      looks += 1;
      if (text === null || text.mayMatch(row.marks)) {
        looks += looksOfWholeItem;
        if ((text === null || text.matches(row.text)) && (matches === null || matches(row.item))) {
          total += 1;
          if (left > 0) left -= 1;
          else if (found.length >= limit) hasMore = true;
          else {
            found.push(row.item);
            last = { value: place.value, tie: row.tie };
          }
        }
      }
      at += direction;
      if (looks < looksPerStep) continue;
      looks = 0;
      yield;
      at = this.#behind({ value: place.value, tie: row.tie }, direction);
    }
    if (isWhole) total = value === null ? sorted.length : this.countOf(value);
    return { items: found, total, last: hasMore ? last : null };
  }

  /** How many items have the value. */
  countOf(value: SortValue): number {
    return this.#bound(value, true) - this.#bound(value, false);
  }

  /** The rows of the items that have the value. */
  rowsWith(value: SortValue): readonly SortedRow<T>[] {
    return this.#sorted.slice(this.#bound(value, false), this.#bound(value, true)).map(({ row }) => row);
  }

  /** Where a page in that direction begins. */
  #first(direction: 1 | -1, value: SortValue | null): number {
    if (value !== null) return direction === 1 ? this.#bound(value, false) : this.#bound(value, true) - 1;
    return direction === 1 ? 0 : this.#sorted.length - 1;
  }

  /** The index of the first item with the value or a larger one, or the first behind those with the value. */
  #bound(value: SortValue, behind: boolean): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#sorted[middle]!.value;
      if (there < value || (behind && there === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeOf(row: SortedRow<T>): Place<T> {
    return { value: this.#value(row.item), row };
  }

  /** Where the place is, or would be. */
  #indexOf({ value, row: { tie } }: Place<T>): number {
    return this.#indexAt({ value, tie });
  }

  #indexAt(position: SortPosition): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareWith(this.#sorted[middle]!, position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The next index in that direction, whether the place is still there or not. */
  #behind(position: SortPosition, direction: 1 | -1): number {
    const index = this.#indexAt(position);
    if (direction === -1) return index - 1;
    const present = this.#sorted[index];
    const isThere = present !== undefined && compareWith(present, position) === 0;
    return isThere ? index + 1 : index;
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
  return a.value === b.value ? orderOf(a.row.tie, b.row.tie) : orderOf(a.value, b.value);
}

function compareWith({ value, row }: Place<unknown>, position: SortPosition): number {
  return value === position.value ? orderOf(row.tie, position.tie) : orderOf(value, position.value);
}

function orderOf(left: SortValue, right: SortValue): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
