import type { Digest, Hashing } from '../hashing.ts';

/** Words of a pseudonym. */
export const pseudonymWords = 4;
/** Contributors of one chunk: a power of two, and of whole words of bits. */
export const chunkOrdinals = 4096;
const firstOrdinals = 16;

/** Columns of up to 4,096 contributors whose ordinals follow each other. */
interface Chunk {
  pseudonyms: Uint32Array;
  rows: Uint32Array;
  lastMs: Float64Array;
  /** None of them has contributed last before this. */
  sinceMs: number;
}

/**
 * The players with an accepted contribution, by their ordinals from 1, in columns: a win that is shared among millions of
 * them reads no more than it needs, in the order that it needs it. 28 bytes a contributor.
 */
export class Contributors {
  readonly chunks: Chunk[] = [];
  /** Hashes of the pseudonyms before chunk 1, 2, …: pseudonyms never change. */
  readonly #prefixes: Digest[] = [];

  /** The pseudonym is in `words` from `at` on. */
  add(ordinal: number, row: number, words: Uint32Array, at: number, lastMs: number): void {
    const chunk = this.#chunkFor(ordinal);
    const place = (ordinal - 1) & (chunkOrdinals - 1);
    chunk.rows[place] = row;
    for (let i = 0; i < pseudonymWords; i++) {
      chunk.pseudonyms[pseudonymWords * place + i] = words[at + i]!;
    }
    chunk.lastMs[place] = lastMs;
    chunk.sinceMs = Math.min(chunk.sinceMs, lastMs);
  }

  row(ordinal: number): number {
    return this.chunks[(ordinal - 1) >>> 12]!.rows[(ordinal - 1) & (chunkOrdinals - 1)]!;
  }

  /** When the player contributed last. */
  lastMs(ordinal: number): number {
    return this.chunks[(ordinal - 1) >>> 12]!.lastMs[(ordinal - 1) & (chunkOrdinals - 1)]!;
  }

  noteTime(ordinal: number, ms: number): void {
    this.chunks[(ordinal - 1) >>> 12]!.lastMs[(ordinal - 1) & (chunkOrdinals - 1)] = ms;
  }

  /**
   * A hash that has taken the pseudonyms of the first `chunks` chunks, which are full. Each is made once: in the step that
   * fills the chunk, if it is asked for then.
   */
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
    if (needed > chunk.rows.length) enlarge(chunk, needed);
    return chunk;
  }
}

/** The bytes of the first `count` pseudonyms. */
export function pseudonymBytes(pseudonyms: Uint32Array, count: number): Uint8Array {
  return new Uint8Array(pseudonyms.buffer, pseudonyms.byteOffset, 4 * pseudonymWords * count);
}

function emptyChunk(): Chunk {
  return {
    pseudonyms: new Uint32Array(pseudonymWords * firstOrdinals),
    rows: new Uint32Array(firstOrdinals),
    lastMs: new Float64Array(firstOrdinals),
    sinceMs: Number.POSITIVE_INFINITY,
  };
}

function enlarge(chunk: Chunk, needed: number): void {
  let capacity = chunk.rows.length;
  while (capacity < needed) capacity *= 2;
  const { pseudonyms, rows, lastMs } = chunk;
  chunk.pseudonyms = new Uint32Array(pseudonymWords * capacity);
  chunk.pseudonyms.set(pseudonyms);
  chunk.rows = new Uint32Array(capacity);
  chunk.rows.set(rows);
  chunk.lastMs = new Float64Array(capacity);
  chunk.lastMs.set(lastMs);
}
