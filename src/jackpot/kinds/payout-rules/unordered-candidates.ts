import type { Hashing } from '../../hashing.ts';
import { PSEUDONYM } from '../../state/player-segment.ts';
import type { CandidateRoom } from './candidate-room.ts';
import { type CandidateList, PSEUDONYM_BYTES, PSEUDONYM_WORDS } from './candidates.ts';

/** Candidates in any order; put in order without comparing any two, because each ordinal is a place of its own. */
export class UnorderedCandidates implements CandidateList {
  count = 0;
  hash: Uint8Array = new Uint8Array(0);
  readonly #hashing: Hashing;
  readonly #room: CandidateRoom;
  #rows: Uint32Array;
  #ordinals: Uint32Array;
  readonly #pseudonyms: Uint32Array;
  #highest = 0;

  constructor(hashing: Hashing, room: CandidateRoom, capacity: number) {
    this.#hashing = hashing;
    this.#room = room;
    this.#rows = room.take(capacity);
    this.#ordinals = room.take(capacity);
    this.#pseudonyms = room.take(PSEUDONYM_WORDS * capacity);
  }

  add(row: number, ordinal: number, words: Uint32Array, at: number): number {
    const to = PSEUDONYM_WORDS * this.count;
    for (let i = 0; i < PSEUDONYM_WORDS; i++) this.#pseudonyms[to + i] = words[at + PSEUDONYM + i]!;
    return this.#note(row, ordinal);
  }

  addLast(row: number, ordinal: number, pseudonym: Uint8Array): number {
    const at = PSEUDONYM_BYTES * this.count;
    new Uint8Array(this.#pseudonyms.buffer, at, PSEUDONYM_BYTES).set(pseudonym);
    return this.#note(row, ordinal);
  }

  close(): void {
    const indexes = this.#room.take(this.#highest + 1).fill(0, 0, this.#highest + 1);
    for (let index = 0; index < this.count; index++) indexes[this.#ordinals[index]!] = index + 1;
    const rows = this.#room.take(this.count);
    const ordinals = this.#room.take(this.count);
    const pseudonyms = this.#room.take(PSEUDONYM_WORDS * this.count);
    let to = 0;
    for (let ordinal = 0; ordinal <= this.#highest; ordinal++) {
      const from = indexes[ordinal]! - 1;
      if (from < 0) continue;
      rows[to] = this.#rows[from]!;
      ordinals[to] = ordinal;
      for (let i = 0; i < PSEUDONYM_WORDS; i++) {
        pseudonyms[PSEUDONYM_WORDS * to + i] = this.#pseudonyms[PSEUDONYM_WORDS * from + i]!;
      }
      to += 1;
    }
    this.#rows = rows;
    this.#ordinals = ordinals;
    this.hash = this.#hashing.sha256(new Uint8Array(pseudonyms.buffer, 0, PSEUDONYM_BYTES * this.count));
  }

  /** The place is the ordinal. */
  indexOf(place: number): number {
    let from = 0;
    let to = this.count - 1;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#ordinals[middle]! < place) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  row(index: number): number {
    return this.#rows[index]! - 1;
  }

  #note(row: number, ordinal: number): number {
    this.#rows[this.count] = row + 1;
    this.#ordinals[this.count] = ordinal;
    this.#highest = Math.max(this.#highest, ordinal);
    this.count += 1;
    return ordinal;
  }
}
