import type { Random } from '../../ports.ts';

const poolBytes = 8_192;
const pooledBytes = 64;

/** Draws small amounts from a larger one: asking the system for randomness costs more than the bytes do. */
export function createPooledRandom(random: Random): Random {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return {
    bytes(count) {
      if (count > pooledBytes) return random.bytes(count);
      if (used + count > pool.length) {
        // A new pool each time: its owner keeps what it got.
        pool = random.bytes(poolBytes);
        used = 0;
      }
      used += count;
      return pool.subarray(used - count, used);
    },
  };
}
