import type { Hashing } from '../../hashing.ts';
import { PSEUDONYM } from '../../state/player-segment.ts';
import type { CandidateRoom } from './candidate-room.ts';
import { type CandidateList, PSEUDONYM_BYTES, PSEUDONYM_WORDS } from './candidates.ts';

const CHUNK = 1024;

/** Candidates that come in the order of their ordinals: their pseudonyms are hashed as they come. */
export class OrderedCandidates implements CandidateList {
  count = 0;
  hash: Uint8Array = new Uint8Array(0);
  readonly #rows: Uint32Array;
  readonly #chunk = new Uint32Array(PSEUDONYM_WORDS * CHUNK);
  readonly #digest: ReturnType<Hashing['digest']>;
  #filled = 0;

  constructor(hashing: Hashing, room: CandidateRoom, capacity: number) {
    this.#rows = room.take(capacity);
    this.#digest = hashing.digest();
  }

  add(row: number, _ordinal: number, words: Uint32Array, at: number): number {
    const chunk = this.#chunk;
    const to = this.#filled;
    chunk[to] = words[at + PSEUDONYM]!;
    chunk[to + 1] = words[at + PSEUDONYM + 1]!;
    chunk[to + 2] = words[at + PSEUDONYM + 2]!;
    chunk[to + 3] = words[at + PSEUDONYM + 3]!;
    return this.#note(row);
  }

  addLast(row: number, _ordinal: number, pseudonym: Uint8Array): number {
    new Uint8Array(this.#chunk.buffer, 4 * this.#filled, PSEUDONYM_BYTES).set(pseudonym);
    return this.#note(row);
  }

  close(): void {
    this.#flush();
    this.hash = this.#digest.done();
  }

  indexOf(place: number): number {
    return place;
  }

  row(index: number): number {
    return this.#rows[index]! - 1;
  }

  #note(row: number): number {
    this.#rows[this.count] = row + 1;
    this.#filled += PSEUDONYM_WORDS;
    if (this.#filled === this.#chunk.length) this.#flush();
    this.count += 1;
    return this.count - 1;
  }

  #flush(): void {
    this.#digest.update(new Uint8Array(this.#chunk.buffer, 0, 4 * this.#filled));
    this.#filled = 0;
  }
}
