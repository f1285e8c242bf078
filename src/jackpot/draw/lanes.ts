import type { Hashing } from '../hashing.ts';
import type { Odds } from '../kinds/pot-types/trigger.ts';

const MOST_BYTES = 16_384;
const LANE_BYTES = 8;

/** The 64-bit lanes of one key stream, in order. `high` and `low` hold the last accepted value. */
export class Lanes {
  high = 0;
  low = 0;
  readonly #stream: { next(byteCount: number): Uint8Array };
  readonly #chunkBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  constructor(hashing: Hashing, key: Uint8Array, expectedLanes: number) {
    this.#stream = hashing.keyStream(key);
    this.#chunkBytes = Math.min(MOST_BYTES, LANE_BYTES * Math.max(8, Math.ceil(1.5 * expectedLanes)));
  }

  /** Uniform(den), 1 ≤ den < 2^63: masked lanes until one is below den. */
  uniform(odds: Odds): void {
    const topHigh = odds.denLow === 0 ? odds.denHigh - 1 : odds.denHigh;
    const topLow = odds.denLow === 0 ? 0xffff_ffff : odds.denLow - 1;
    const maskHigh = maskFor(topHigh);
    const maskLow = topHigh > 0 ? 0xffff_ffff : maskFor(topLow);
    do {
      if (this.#at === this.#bytes.length) this.#refill();
      this.high = (this.#view.getUint32(this.#at) & maskHigh) >>> 0;
      this.low = (this.#view.getUint32(this.#at + 4) & maskLow) >>> 0;
      this.#at += LANE_BYTES;
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
