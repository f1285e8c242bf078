import type { Hashing } from '../../hashing.ts';
import { PSEUDONYM, SEGMENT_ROWS } from '../../state/player-segment.ts';
import type { CandidateRoom } from './candidate-room.ts';
import { type CandidateList, PSEUDONYM_BYTES, PSEUDONYM_WORDS } from './candidates.ts';

/** Candidates that come in the order of their ordinals: their pseudonyms are hashed as they come. */
export class OrderedCandidates implements CandidateList {
  count = 0;
  hash: Uint8Array = new Uint8Array(0);
  readonly #stride: number;
  /** Row + 1 of each. */
  readonly #rows: Uint32Array;
  /** Pseudonyms of one segment's candidates. */
  readonly #pseudonyms: Uint32Array;
  readonly #digest: ReturnType<Hashing['digest']>;

  constructor(hashing: Hashing, room: CandidateRoom, stride: number, capacity: number) {
    this.#stride = stride;
    this.#rows = room.take(capacity);
    this.#pseudonyms = room.take(PSEUDONYM_WORDS * SEGMENT_ROWS);
    this.#digest = hashing.digest();
  }

  // A plain loop over local names: with a million candidates it counts what a line costs before it is compiled.
  addAll(rows: Uint32Array, found: Uint32Array, count: number, firstRow: number): void {
    const stride = this.#stride;
    const pseudonyms = this.#pseudonyms;
    const own = this.#rows;
    const base = this.count;
    for (let k = 0, to = 0; k < count; k++, to += PSEUDONYM_WORDS) {
      const i = found[k]!;
      const at = i * stride + PSEUDONYM;
      own[base + k] = firstRow + i + 1;
      pseudonyms[to] = rows[at]!;
      pseudonyms[to + 1] = rows[at + 1]!;
      pseudonyms[to + 2] = rows[at + 2]!;
      pseudonyms[to + 3] = rows[at + 3]!;
    }
    this.count = base + count;
    if (count > 0) this.#digest.update(new Uint8Array(pseudonyms.buffer, 0, PSEUDONYM_BYTES * count));
  }

  addLast(row: number, _ordinal: number, pseudonym: Uint8Array): void {
    this.#rows[this.count] = row + 1;
    this.count += 1;
    this.#digest.update(pseudonym);
  }

  close(): void {
    this.hash = this.#digest.done();
  }

  place(added: number): number {
    return added;
  }

  indexOf(place: number): number {
    return place;
  }

  row(index: number): number {
    return this.#rows[index]! - 1;
  }
}
