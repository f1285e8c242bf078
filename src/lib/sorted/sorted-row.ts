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

/** Letters and pairs of letters of a text, one bit of 32 each: they rule out most texts without a part. */
interface TextMarks {
  readonly letters: number;
  readonly pairs: number;
}

/** The marks of a text in lower case. */
export function marksOf(text: string): TextMarks {
  let letters = 0;
  let pairs = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    letters |= 1 << (code & 31);
    if (at > 0) pairs |= 1 << ((Math.imul(before, 0x9e3779b1) + Math.imul(code, 0x85ebca6b)) >>> 27);
    before = code;
  }
  return { letters, pairs };
}

/** Finds a part of texts in any case. */
export class TextFilter {
  readonly #part: string;
  readonly #marks: TextMarks;

  constructor(part: string) {
    this.#part = part.toLowerCase();
    this.#marks = marksOf(this.#part);
  }

  /** False: a text with these marks does not have the part. */
  mayMatch({ letters, pairs }: TextMarks): boolean {
    const wanted = this.#marks;
    return (letters & wanted.letters) === wanted.letters && (pairs & wanted.pairs) === wanted.pairs;
  }

  /** Whether the text, in lower case, has the part. */
  matches(text: string): boolean {
    return text.includes(this.#part);
  }
}
