import type { Digest, Hashing } from '../../../lib/hashing.ts';

export const pseudonymWords = 4;
/** Contributors of one chunk: a power of two, and of whole words of bits. */
export const chunkOrdinals = 4096;
const firstOrdinals = 16;

/** Columns of up to 4,096 contributors whose ordinals follow each other. */
interface Chunk {
  pseudonyms: Uint32Array;
  /** Null while the rows follow each other too, as where players appear with their first contribution. */
  rows: Uint32Array | null;
  /** The row of the first place, while `rows` is null. */
  firstRow: number;
  lastMs: Float64Array;
  /** None of them has contributed last before this. */
  sinceMs: number;
}

/**
 * The players with an accepted contribution, by their ordinals from 1, in columns: a win shared among
 * millions reads no more than it needs, in order. 24 bytes each, 28 where rows and ordinals differ in order.
 */
export class Contributors {
  readonly chunks: Chunk[] = [];
  /** Hashes of the pseudonyms before chunk 1, 2, …: pseudonyms never change. */
  readonly #prefixes: Digest[] = [];

  /** The pseudonym is in `words` from `at` on. */
  add(ordinal: number, row: number, words: Uint32Array, at: number, lastMs: number): void {
    const chunk = this.#chunkFor(ordinal);
    const place = (ordinal - 1) & (chunkOrdinals - 1);
    if (chunk.rows === null && chunk.firstRow !== row - place) {
      if (isEmpty(chunk)) chunk.firstRow = row - place;
      else chunk.rows = rowsFrom(chunk.firstRow, chunk.lastMs.length);
    }
    if (chunk.rows !== null) chunk.rows[place] = row;
    for (let i = 0; i < pseudonymWords; i++) {
      chunk.pseudonyms[pseudonymWords * place + i] = words[at + i]!;
    }
    chunk.lastMs[place] = lastMs;
    chunk.sinceMs = Math.min(chunk.sinceMs, lastMs);
  }

  row(ordinal: number): number {
    const { rows, firstRow } = this.chunks[(ordinal - 1) >>> 12]!;
    const place = (ordinal - 1) & (chunkOrdinals - 1);
    return rows === null ? firstRow + place : rows[place]!;
  }

  lastMs(ordinal: number): number {
    return this.chunks[(ordinal - 1) >>> 12]!.lastMs[(ordinal - 1) & (chunkOrdinals - 1)]!;
  }

  noteTime(ordinal: number, ms: number): void {
    this.chunks[(ordinal - 1) >>> 12]!.lastMs[(ordinal - 1) & (chunkOrdinals - 1)] = ms;
  }

  /** A hash of the pseudonyms of the first `chunks` chunks, which are full. Each is made once. */
  prefix(hashing: Hashing, chunks: number): Digest {
    for (let made = this.#prefixes.length; made < chunks; made++) {
      const digest = this.#prefixes[made - 1]?.copy() ?? hashing.digest();
      digest.update(pseudonymBytes(this.chunks[made]!.pseudonyms, chunkOrdinals));
      this.#prefixes.push(digest);
    }
    return this.#prefixes[chunks - 1]?.copy() ?? hashing.digest();
  }

  /** After a restart they come in any order. */
  #chunkFor(ordinal: number): Chunk {
    const number = (ordinal - 1) >>> 12;
    while (this.chunks.length <= number) this.chunks.push(emptyChunk());
    const chunk = this.chunks[number]!;
    const needed = ((ordinal - 1) & (chunkOrdinals - 1)) + 1;
    if (needed > chunk.lastMs.length) enlarge(chunk, needed);
    return chunk;
  }
}

export function pseudonymBytes(pseudonyms: Uint32Array, count: number): Uint8Array {
  return new Uint8Array(pseudonyms.buffer, pseudonyms.byteOffset, 4 * pseudonymWords * count);
}

function emptyChunk(): Chunk {
  return {
    pseudonyms: new Uint32Array(pseudonymWords * firstOrdinals),
    rows: null,
    firstRow: 0,
    lastMs: new Float64Array(firstOrdinals),
    sinceMs: Number.POSITIVE_INFINITY,
  };
}

function isEmpty({ sinceMs }: Chunk): boolean {
  return sinceMs === Number.POSITIVE_INFINITY;
}

/** Places without a contributor get numbers that mean nothing. */
function rowsFrom(first: number, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let place = 0; place < count; place++) rows[place] = first + place;
  return rows;
}

function enlarge(chunk: Chunk, needed: number): void {
  let capacity = chunk.lastMs.length;
  while (capacity < needed) capacity *= 2;
  const { pseudonyms, rows, lastMs } = chunk;
  chunk.pseudonyms = new Uint32Array(pseudonymWords * capacity);
  chunk.pseudonyms.set(pseudonyms);
  if (rows !== null) {
    chunk.rows = new Uint32Array(capacity);
    chunk.rows.set(rows);
  }
  chunk.lastMs = new Float64Array(capacity);
  chunk.lastMs.set(lastMs);
}
