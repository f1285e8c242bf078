import type { Odds } from '../../state/configuration/trigger.ts';
import type { Hashing } from '../../state/hashing/hashing.ts';

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
