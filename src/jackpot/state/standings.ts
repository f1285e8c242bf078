import { HALF } from '../../lib/wide.ts';
import { POT_CYCLE, POT_CYCLE_VALUE, POT_VALUE } from './player-segment.ts';

/** Contributors whose highest sum is remembered in one place. */
export const BLOCK_ORDINALS = 256;
const FIRST_BLOCKS = 1;
const WORDS_PER_BLOCK = BLOCK_ORDINALS / 32;

/** Sums of shares in a pot: of its running cycle, and of all its cycles. */
export const CYCLE_SUMS = 0;
export const LIFETIME_SUMS = 1;
export type Sums = typeof CYCLE_SUMS | typeof LIFETIME_SUMS;

/**
 * Who of the contributors has given to which pot, a bit each, and the highest sum among each 256 of them: with these a
 * win finds the highest of a million without reading the sum of each. Sums only ever rise within a cycle. Everything here
 * follows from the players' rows.
 */
export class Standings {
  readonly #columns: number;
  /** Number of the cycle that a pot's cycle sums are of. */
  readonly #cycles: Float64Array;
  /** Of each 32 contributors a word for each column; of each block two halves (lib/wide.ts). */
  #gave: Uint32Array;
  #highest: Float64Array;

  constructor(pots: number) {
    this.#columns = 2 * pots;
    this.#cycles = new Float64Array(pots);
    this.#gave = new Uint32Array(FIRST_BLOCKS * WORDS_PER_BLOCK * this.#columns);
    this.#highest = new Float64Array(FIRST_BLOCKS * 2 * this.#columns);
  }

  /** Makes room for a contributor; to be called before the first sum is noted. */
  reserve(ordinal: number): void {
    const blocks = this.#highest.length / (2 * this.#columns);
    if (ordinal <= blocks * BLOCK_ORDINALS) return;
    let larger = blocks;
    while (ordinal > larger * BLOCK_ORDINALS) larger *= 2;
    const gave = new Uint32Array(larger * WORDS_PER_BLOCK * this.#columns);
    gave.set(this.#gave);
    this.#gave = gave;
    const highest = new Float64Array(larger * 2 * this.#columns);
    highest.set(this.#highest);
    this.#highest = highest;
  }

  /** A contributor's sums in a pot have risen to what the words of the player's row from `at` on say. */
  note(pot: number, ordinal: number, rows: Uint32Array, at: number): void {
    if (rows[at + POT_CYCLE] === this.#cycles[pot]) {
      const high = rows[at + POT_CYCLE_VALUE + 1]!;
      this.#raise(2 * pot + CYCLE_SUMS, ordinal - 1, high, rows[at + POT_CYCLE_VALUE]!);
    }
    const high = rows[at + POT_VALUE + 2]! * HALF + rows[at + POT_VALUE + 1]!;
    this.#raise(2 * pot + LIFETIME_SUMS, ordinal - 1, high, rows[at + POT_VALUE]!);
  }

  /** A pot's cycle sums are of this cycle from now on: those of another one count no more. */
  turnTo(pot: number, cycle: number): void {
    if (this.#cycles[pot] === cycle) return;
    this.#cycles[pot] = cycle;
    const columns = this.#columns;
    const gave = this.#gave;
    const highest = this.#highest;
    for (let at = 2 * pot; at < gave.length; at += columns) gave[at] = 0;
    for (let at = 4 * pot; at < highest.length; at += 2 * columns) highest.fill(0, at, at + 2);
  }

  /** Whether the pot's cycle sums are of this cycle: else nobody has given to it yet. */
  isOf(pot: number, cycle: number): boolean {
    return this.#cycles[pot] === cycle;
  }

  /** Writes who has given: bit i % 32 of word i / 32 is the contributor with ordinal i + 1. */
  copyGave(pot: number, sums: Sums, to: Uint32Array, words: number): void {
    const columns = this.#columns;
    const gave = this.#gave;
    for (let word = 0, at = 2 * pot + sums; word < words; word++, at += columns) to[word] = gave[at]!;
  }

  /** The highest sum among the contributors of a block. */
  highOf(pot: number, sums: Sums, block: number): number {
    return this.#highest[2 * (block * this.#columns + 2 * pot + sums)]!;
  }

  lowOf(pot: number, sums: Sums, block: number): number {
    return this.#highest[2 * (block * this.#columns + 2 * pot + sums) + 1]!;
  }

  #raise(column: number, place: number, high: number, low: number): void {
    if (high === 0 && low === 0) return;
    const highest = this.#highest;
    const at = 2 * ((place >>> 8) * this.#columns + column);
    if (high > highest[at]! || (high === highest[at]! && low > highest[at + 1]!)) {
      highest[at] = high;
      highest[at + 1] = low;
    }
    const word = (place >>> 5) * this.#columns + column;
    this.#gave[word] = this.#gave[word]! | (1 << (place & 31));
  }
}
