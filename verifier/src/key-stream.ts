import { join, u64, utf8 } from './bytes.ts';
import { hkdfSha256, type VerifierHashing } from './hashing.ts';

/** The purpose of a draw: the byte in the place of its keystream. */
export const purposes = { pots: 1, community: 2, raffle: 3 } as const;

const idHashBytes = 16;
const wordBytes = 8;
const wordsAtATime = 64;

/** First 16 bytes of SHA-256 of the instance's id. */
export function instanceHash(hashing: VerifierHashing, instance: string): Uint8Array {
  return hashing.sha256(utf8(instance)).slice(0, idHashBytes);
}

export function commitOf(hashing: VerifierHashing, instance: Uint8Array, epoch: number, seed: Uint8Array) {
  return hashing.sha256(join(utf8('JPD1/commit'), instance, u64(epoch), seed));
}

/** K and the streams of one epoch. */
export class EpochKey {
  readonly #hashing: VerifierHashing;
  readonly #instance: Uint8Array;
  readonly #epoch: number;
  readonly #key: Uint8Array;

  constructor(
    hashing: VerifierHashing,
    instance: Uint8Array,
    epoch: number,
    seed: Uint8Array,
    beacon: Uint8Array,
    configHash: Uint8Array,
  ) {
    this.#hashing = hashing;
    this.#instance = instance;
    this.#epoch = epoch;
    const info = join(utf8('JPD1/key'), instance, u64(epoch), configHash);
    this.#key = hkdfSha256(hashing, seed, beacon, info);
  }

  /** R: the key of one stream. */
  streamKey(purpose: number, firstSequence: number, inputsHash: Uint8Array): Uint8Array {
    const place = [
      utf8('JPD1'),
      Uint8Array.of(purpose),
      this.#instance,
      u64(this.#epoch),
      u64(firstSequence),
      inputsHash,
    ];
    return this.#hashing.hmacSha256(this.#key, join(...place));
  }

  stream(purpose: number, firstSequence: number, inputsHash: Uint8Array): Stream {
    return new Stream(this.#hashing, this.streamKey(purpose, firstSequence, inputsHash));
  }
}

/** AES-256-CTR, read as big-endian 64-bit words, strictly in order. */
export class Stream {
  readonly key: Uint8Array;
  /** Words that the last number took, the rejected ones included. */
  taken: bigint[] = [];
  readonly #next: (byteCount: number) => Uint8Array;
  #words: DataView | null = null;
  #at = 0;

  constructor(hashing: VerifierHashing, key: Uint8Array) {
    this.key = key;
    this.#next = hashing.keyStream(key);
  }

  /** Uniform(below): words masked to the bit length of below − 1, the first one that is below. */
  uniform(below: bigint): bigint {
    const mask = maskOf(below - 1n);
    this.taken = [];
    for (;;) {
      const word = this.#word();
      this.taken.push(word);
      if ((word & mask) < below) return word & mask;
    }
  }

  #word(): bigint {
    if (this.#words === null || this.#at === this.#words.byteLength) {
      const bytes = this.#next(wordsAtATime * wordBytes);
      this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#at = 0;
    }
    const word = this.#words.getBigUint64(this.#at);
    this.#at += wordBytes;
    return word;
  }
}

/** Positions of `wanted` of `count` candidates, in the order they are picked: partial Fisher–Yates. */
export function pick(stream: Stream, count: number, wanted: number): number[] {
  // Only the places that were moved are kept: there may be millions of candidates.
  const moved = new Map<number, number>();
  const picked: number[] = [];
  for (let at = 0; at < Math.min(wanted, count); at += 1) {
    const other = at + Number(stream.uniform(BigInt(count - at)));
    picked.push(moved.get(other) ?? other);
    moved.set(other, moved.get(at) ?? at);
  }
  return picked;
}

function maskOf(largest: bigint): bigint {
  return largest === 0n ? 0n : (1n << BigInt(largest.toString(2).length)) - 1n;
}
