import type { Hashing } from '../../hashing.ts';
import { PSEUDONYM } from '../../state/player-segment.ts';

const PSEUDONYM_WORDS = 4;

/**
 * Candidates of one rule, of which there may be millions: rows, ordinals and pseudonyms as words. Rows are numbered in
 * order of appearance, and that is the order of ordinals but for players who opted in before they contributed.
 */
export class CandidateList {
  count = 0;
  #rows: Uint32Array;
  #ordinals: Uint32Array;
  #pseudonyms: Uint32Array;
  #highest = 0;
  #isInOrder = true;

  constructor(capacity: number) {
    this.#rows = new Uint32Array(capacity);
    this.#ordinals = new Uint32Array(capacity);
    this.#pseudonyms = new Uint32Array(PSEUDONYM_WORDS * capacity);
  }

  /** `words`: the player's row, from `at` on. */
  add(row: number, ordinal: number, words: Uint32Array, at: number): void {
    const to = PSEUDONYM_WORDS * this.count;
    this.#pseudonyms[to] = words[at + PSEUDONYM]!;
    this.#pseudonyms[to + 1] = words[at + PSEUDONYM + 1]!;
    this.#pseudonyms[to + 2] = words[at + PSEUDONYM + 2]!;
    this.#pseudonyms[to + 3] = words[at + PSEUDONYM + 3]!;
    this.#note(row, ordinal);
  }

  /** A player whose row does not say it yet. */
  addPseudonym(row: number, ordinal: number, pseudonym: Uint8Array): void {
    const bytes = new Uint8Array(this.#pseudonyms.buffer, 4 * PSEUDONYM_WORDS * this.count, pseudonym.length);
    bytes.set(pseudonym);
    this.#note(row, ordinal);
  }

  /** −1: a player without a row. */
  row(index: number): number {
    return this.#rows[index]! - 1;
  }

  ordinal(index: number): number {
    return this.#ordinals[index]!;
  }

  /** The 16 bytes of a candidate's pseudonym. */
  pseudonym(index: number): Uint8Array {
    return new Uint8Array(this.#pseudonyms.buffer, 4 * PSEUDONYM_WORDS * index, 4 * PSEUDONYM_WORDS);
  }

  hash(hashing: Hashing): Uint8Array {
    return hashing.sha256(new Uint8Array(this.#pseudonyms.buffer, 0, 4 * PSEUDONYM_WORDS * this.count));
  }

  /** Puts the candidates in order of their ordinals, without comparing any two: each has a place of its own. */
  order(): void {
    if (this.#isInOrder) return;
    const places = new Uint32Array(this.#highest + 1);
    for (let index = 0; index < this.count; index++) places[this.#ordinals[index]!] = index + 1;
    const sorted = new CandidateList(this.count);
    for (const place of places) {
      if (place === 0) continue;
      sorted.addPseudonym(this.row(place - 1), this.#ordinals[place - 1]!, this.pseudonym(place - 1));
    }
    this.#rows = sorted.#rows;
    this.#ordinals = sorted.#ordinals;
    this.#pseudonyms = sorted.#pseudonyms;
    this.#isInOrder = true;
  }

  #note(row: number, ordinal: number): void {
    this.#rows[this.count] = row + 1;
    this.#ordinals[this.count] = ordinal;
    if (ordinal < this.#highest) this.#isInOrder = false;
    else this.#highest = ordinal;
    this.count += 1;
  }
}
