import type { Hashing } from '../../../lib/hashing.ts';
import { half } from '../../../lib/wide.ts';
import type { Keystream, Odds } from '../../state/configuration/trigger.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { keyOfEpoch, streamKey } from './keys.ts';

const maxBytes = 16_384;
const wordBytes = 8;

/** The 64-bit words of one keystream, in order. `high` and `low` hold the last accepted value. */
export class KeystreamWords {
  high = 0;
  low = 0;
  readonly #stream: { next(byteCount: number): Uint8Array };
  readonly #chunkBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  constructor(hashing: Hashing, key: Uint8Array, expectedWords: number) {
    this.#stream = hashing.keyStream(key);
    this.#chunkBytes = Math.min(maxBytes, wordBytes * Math.max(8, Math.ceil(1.5 * expectedWords)));
  }

  /** Uniform(den), 1 ≤ den < 2^63: masked words until one is below den. */
  uniform(odds: Odds): void {
    const topHigh = odds.denLow === 0 ? odds.denHigh - 1 : odds.denHigh;
    const topLow = odds.denLow === 0 ? 0xffff_ffff : odds.denLow - 1;
    const maskHigh = maskFor(topHigh);
    const maskLow = topHigh > 0 ? 0xffff_ffff : maskFor(topLow);
    do {
      if (this.#at === this.#bytes.length) this.#refill();
      this.high = (this.#view.getUint32(this.#at) & maskHigh) >>> 0;
      this.low = (this.#view.getUint32(this.#at + 4) & maskLow) >>> 0;
      this.#at += wordBytes;
    } while (this.high > topHigh || (this.high === topHigh && this.low > topLow));
  }

  #refill(): void {
    this.#bytes = this.#stream.next(this.#chunkBytes);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    this.#at = 0;
  }
}

/** All bits up to the highest one set. */
function maskFor(value: number): number {
  return value === 0 ? 0 : 0xffff_ffff >>> Math.clz32(value);
}

const odds: Odds = { numHigh: 0, numLow: 0, denHigh: 0, denLow: 0 };

/** The keystream of a win's community (purpose 2) or of a round's end (purpose 3): its inputs are empty. */
export function picksOf(
  hashing: Hashing,
  instance: Instance,
  purpose: number,
  sequence: number,
  expectedWords: number,
): KeystreamWords {
  const key = streamKey(
    hashing,
    keyOfEpoch(hashing, instance),
    purpose,
    instance.idHash,
    instance.epochs.current,
    sequence,
    hashing.sha256(),
  );
  return new KeystreamWords(hashing, key, expectedWords);
}

/** Places of `wanted` of `count` candidates, as picked: Fisher–Yates that keeps only moved places. */
export function pick(keystream: Keystream, count: number, wanted: number): readonly number[] {
  const moved = new Map<number, number>();
  const picked: number[] = [];
  for (let step = 0; step < Math.min(wanted, count); step++) {
    const from = step + below(keystream, count - step);
    picked.push(moved.get(from) ?? from);
    moved.set(from, moved.get(step) ?? step);
    moved.delete(step);
  }
  return picked;
}

/** Uniform(limit), for limits up to 2^53. */
function below(keystream: Keystream, limit: number): number {
  odds.denHigh = Math.floor(limit / half);
  odds.denLow = limit % half;
  keystream.uniform(odds);
  return keystream.high * half + keystream.low;
}
