import { sortedIndices } from '../../../lib/merge-sort.ts';
import type { Steps } from '../../../lib/turns.ts';
import type { TicketField } from '../../../messages/queries.ts';

export type NameField = 'player_id' | 'ext_player_id';

export function isNameField(field: TicketField): field is NameField {
  return field === 'player_id' || field === 'ext_player_id';
}

const namesPerStep = 1_000;
/** Where more than this part of the rows is new, all of them are sorted again. */
const maxNewPart = 0.1;

/** Participants of a round by a part of their names. Names never change: only new rows are sorted. */
export class NameOrder {
  readonly #field: NameField;
  readonly #rows: Uint32Array;
  readonly #nameOf: (row: number) => string;
  /** The last order that was made of fewer rows. */
  #before: NameOrder | null;
  #made: Uint32Array | null = null;
  #making: Steps<Uint32Array> | null = null;

  constructor(
    field: NameField,
    rows: Uint32Array,
    nameOf: (row: number) => string,
    before: NameOrder | null,
  ) {
    this.#field = field;
    this.#rows = rows;
    this.#nameOf = nameOf;
    this.#before = before === null || before.#made !== null ? before : before.#before;
  }

  /** Indices of the rows; several callers make them together. */
  *make(): Steps<Uint32Array> {
    this.#making ??= this.#sort();
    while (this.#made === null) {
      const step = this.#making.next();
      if (step.done === true) this.#made = step.value;
      else yield;
    }
    this.#before = null;
    return this.#made;
  }

  *#sort(): Steps<Uint32Array> {
    const { before, added } = this.#difference();
    if (before === null) return yield* this.#sorted(Uint32Array.from(this.#rows.keys()));
    if (added.length === 0) return before;
    return yield* this.#merged(before, yield* this.#sorted(Uint32Array.from(added)));
  }

  /** The order before in indices of these rows, and the others; null: too much is new. */
  #difference(): { readonly before: Uint32Array | null; readonly added: readonly number[] } {
    const old = this.#before;
    if (old === null || old.#made === null) return { before: null, added: [] };
    const indexNow = new Uint32Array(old.#rows.length);
    const added: number[] = [];
    let place = 0;
    for (let index = 0; index < this.#rows.length; index += 1) {
      if (old.#rows[place] === this.#rows[index]) {
        indexNow[place] = index;
        place += 1;
      } else added.push(index);
    }
    if (place < old.#rows.length || added.length > maxNewPart * this.#rows.length)
      return { before: null, added: [] };
    return { before: old.#made.map((index) => indexNow[index]!), added };
  }

  *#sorted(indices: Uint32Array): Steps<Uint32Array> {
    const keys: string[] = [];
    for (const index of indices) {
      keys.push(this.nameAt(index));
      if (keys.length % namesPerStep === 0) yield;
    }
    const places = yield* sortedIndices(indices.length, (a, b) =>
      keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : 0,
    );
    return places.map((place) => indices[place]!);
  }

  /** Each new one is put to its place by halves, and what is between two of them is copied. */
  *#merged(before: Uint32Array, added: Uint32Array): Steps<Uint32Array> {
    const merged = new Uint32Array(before.length + added.length);
    let copied = 0;
    for (const [count, index] of added.entries()) {
      const place = this.#placeIn(before, index, copied);
      merged.set(before.subarray(copied, place), copied + count);
      merged[place + count] = index;
      copied = place;
      if ((count + 1) % (namesPerStep / 20) === 0) yield;
    }
    merged.set(before.subarray(copied), copied + added.length);
    return merged;
  }

  #placeIn(before: Uint32Array, index: number, from: number): number {
    const key = this.nameAt(index);
    let low = from;
    let high = before.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = before[middle]!;
      const other = this.nameAt(there);
      if (other < key || (other === key && there < index)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A part of `operator:brand:player`; a player's id may have colons, the others have none. */
  nameAt(index: number): string {
    const name = this.#nameOf(this.#rows[index]!);
    if (this.#field === 'player_id') return name;
    return name.slice(name.indexOf(':', name.indexOf(':') + 1) + 1);
  }
}
