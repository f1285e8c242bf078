import { marksOf, type TextMarks } from './text-filter.ts';

/** An item of a sorted map with what all its orders need of it. */
export interface SortedRow<T> {
  readonly key: string;
  readonly item: T;
  readonly tie: string;
  /** In lower case; empty where the map has no texts. */
  readonly text: string;
  readonly marks: TextMarks;
}

/** How the rows of a map are made. */
export interface RowOptions<T> {
  /** Sorts items of the same value. Unique, and never changes. */
  readonly tie: (item: T) => string;
  /** The name by a part of which lists are filtered. */
  readonly text?: (item: T) => string;
}

/** The rows of a sorted map by key, made when an order first needs them. */
export class SortedRows<T> {
  readonly #options: RowOptions<T>;
  readonly #rows = new Map<string, SortedRow<T>>();

  constructor(options: RowOptions<T>) {
    this.#options = options;
  }

  /** The row of an item that is in the map. */
  of(key: string, item: T): SortedRow<T> {
    const known = this.#rows.get(key);
    if (known !== undefined && known.item === item) return known;
    return this.renew(key, item);
  }

  /** The item is another one, or has changed in place. */
  renew(key: string, item: T): SortedRow<T> {
    const { tie, text } = this.#options;
    const name = text === undefined ? '' : text(item).toLowerCase();
    const row = { key, item, tie: tie(item), text: name, marks: name === '' ? noMarks : marksOf(name) };
    this.#rows.set(key, row);
    return row;
  }

  delete(key: string): void {
    this.#rows.delete(key);
  }
}

const noMarks = marksOf('');
