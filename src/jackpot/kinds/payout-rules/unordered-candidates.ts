import type { Hashing } from '../../hashing.ts';
import { ORDINAL, PSEUDONYM } from '../../state/player-segment.ts';
import type { CandidateRoom } from './candidate-room.ts';
import { type CandidateList, PSEUDONYM_BYTES, PSEUDONYM_WORDS } from './candidates.ts';

/** Candidates in any order; put in order without comparing any two, because each ordinal is a place of its own. */
export class UnorderedCandidates implements CandidateList {
  count = 0;
  hash: Uint8Array = new Uint8Array(0);
  readonly #hashing: Hashing;
  readonly #room: CandidateRoom;
  readonly #stride: number;
  /** Row + 1 of each. */
  #rows: Uint32Array;
  #ordinals: Uint32Array;
  readonly #pseudonyms: Uint32Array;
  #highest = 0;

  constructor(hashing: Hashing, room: CandidateRoom, stride: number, capacity: number) {
    this.#hashing = hashing;
    this.#room = room;
    this.#stride = stride;
    this.#rows = room.take(capacity);
    this.#ordinals = room.take(capacity);
    this.#pseudonyms = room.take(PSEUDONYM_WORDS * capacity);
  }

  addAll(rows: Uint32Array, found: Uint32Array, count: number, firstRow: number): void {
    const pseudonyms = this.#pseudonyms;
    for (let k = 0; k < count; k++) {
      const i = found[k]!;
      const at = i * this.#stride;
      const to = PSEUDONYM_WORDS * this.count;
      for (let word = 0; word < PSEUDONYM_WORDS; word++) pseudonyms[to + word] = rows[at + PSEUDONYM + word]!;
      this.#note(firstRow + i, rows[at + ORDINAL]!);
    }
  }

  addLast(row: number, ordinal: number, pseudonym: Uint8Array): void {
    const at = PSEUDONYM_BYTES * this.count;
    new Uint8Array(this.#pseudonyms.buffer, at, PSEUDONYM_BYTES).set(pseudonym);
    this.#note(row, ordinal);
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
      for (let word = 0; word < PSEUDONYM_WORDS; word++) {
        pseudonyms[PSEUDONYM_WORDS * to + word] = this.#pseudonyms[PSEUDONYM_WORDS * from + word]!;
      }
      to += 1;
    }
    this.#rows = rows;
    this.#ordinals = ordinals;
    this.hash = this.#hashing.sha256(new Uint8Array(pseudonyms.buffer, 0, PSEUDONYM_BYTES * this.count));
  }

  /** Its ordinal. */
  place(added: number): number {
    return this.#ordinals[added]!;
  }

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

  #note(row: number, ordinal: number): void {
    this.#rows[this.count] = row + 1;
    this.#ordinals[this.count] = ordinal;
    this.#highest = Math.max(this.#highest, ordinal);
    this.count += 1;
  }
}
