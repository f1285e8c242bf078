import { createHash } from 'node:crypto';
import type { Stake } from './choices.ts';

const two32 = 2 ** 32;

/**
 * A generator of its own (xoshiro128**), so that a seed gives the same simulation on every machine. Not for
 * draws.
 */
export class Chance {
  readonly #state: Uint32Array;

  constructor(seed: string) {
    const hash = createHash('sha256').update(`potstream simulate ${seed}`).digest();
    this.#state = Uint32Array.from({ length: 4 }, (_, index) => hash.readUInt32BE(4 * index));
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    const state = this.#state;
    const [a, b, c, d] = state as unknown as [number, number, number, number];
    const scrambled = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    state[0] = a ^ d ^ b;
    state[1] = b ^ c ^ a;
    state[2] = c ^ a ^ (b << 9);
    state[3] = rotated(d ^ b, 11);
    return scrambled / two32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Waiting time of a Poisson process, in milliseconds. */
  gapMs(perSecond: number): number {
    return (-Math.log(1 - this.next()) * 1000) / perSecond;
  }
}

/** Picks wagers by their weights. */
export class Wagers {
  readonly #stakes: readonly Stake[];
  readonly #bounds: readonly number[];

  constructor(stakes: readonly Stake[]) {
    const total = stakes.reduce((sum, { weight }) => sum + weight, 0);
    let sum = 0;
    this.#stakes = stakes;
    this.#bounds = stakes.map(({ weight }) => {
      sum += weight;
      return sum / total;
    });
  }

  pick(chance: Chance): bigint {
    const at = chance.next();
    const index = this.#bounds.findIndex((bound) => at < bound);
    return this.#stakes.at(index)!.atoms;
  }
}

function rotated(value: number, by: number): number {
  return ((value << by) | (value >>> (32 - by))) >>> 0;
}
