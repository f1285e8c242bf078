import { addTo } from '../../../lib/ordinal-set.ts';
import { half } from '../../../lib/wide.ts';
import { potCycleAt, potCycleValueAt, potRowWords, potValueAt } from './player-segment.ts';

/** Contributors whose highest sum is remembered in one place. */
export const blockOrdinals = 128;
const blockBits = 7;
const wordsPerBlock = blockOrdinals / 32;

/** Sums of shares in a pot: of its running cycle, and of all its cycles. */
export const cycleSums = 0;
export const lifetimeSums = 1;
export type Sums = typeof cycleSums | typeof lifetimeSums;

/** Keeps the highest of the sums that it is offered. */
interface SumRanking {
  /** A later entry that is not above this has no place. */
  readonly minHigh: number;
  readonly minLow: number;
  offer(high: number, low: number, place: number): void;
}

/**
 * Which contributors have given to which pot, a bit each, and the highest sum among each 128 of them: a win
 * finds the highest of a million without reading each. Sums only rise within a cycle; all follows from the
 * players' rows.
 */
export class Standings {
  readonly #columns: number;
  /** Number of the cycle that a pot's cycle sums are of. */
  readonly #cycles: Float64Array;
  /** A bit for each contributor, column by column. */
  readonly #gave: Uint32Array[];
  /** Two halves (lib/wide.ts) a block and column: a contribution finds those of all its pots in one place. */
  #highest: Float64Array;

  constructor(pots: number) {
    this.#columns = 2 * pots;
    this.#cycles = new Float64Array(pots);
    this.#gave = Array.from({ length: this.#columns }, () => new Uint32Array(wordsPerBlock));
    this.#highest = new Float64Array(2 * this.#columns);
  }

  /** Makes room for a contributor; to be called before the first sum is noted. */
  reserve(ordinal: number): void {
    const blocks = this.#highest.length / (2 * this.#columns);
    if (ordinal <= blocks * blockOrdinals) return;
    let larger = blocks;
    while (ordinal > larger * blockOrdinals) larger *= 2;
    for (let column = 0; column < this.#columns; column++) {
      const gave = new Uint32Array(larger * wordsPerBlock);
      gave.set(this.#gave[column]!);
      this.#gave[column] = gave;
    }
    const highest = new Float64Array(larger * 2 * this.#columns);
    highest.set(this.#highest);
    this.#highest = highest;
  }

  /** One call a contribution, with small integers only: other numbers would be handed over as objects. */
  note(ordinal: number, rows: Uint32Array, from: number, mask: number): void {
    const highest = this.#highest;
    const place = ordinal - 1;
    const block = 2 * (place >>> blockBits) * this.#columns;
    for (let pot = 0; pot < this.#cycles.length; pot++) {
      if (((mask >>> pot) & 1) === 0) continue;
      const at = from + potRowWords * pot;
      if (rows[at + potCycleAt]! !== this.#cycles[pot]!) this.turnTo(pot, rows[at + potCycleAt]!);
      const to = block + 4 * pot;
      const cycleHigh = rows[at + potCycleValueAt + 1]!;
      const cycleLow = rows[at + potCycleValueAt]!;
      if (cycleHigh > highest[to]! || (cycleHigh === highest[to]! && cycleLow > highest[to + 1]!)) {
        highest[to] = cycleHigh;
        highest[to + 1] = cycleLow;
      }
      const high = rows[at + potValueAt + 2]! * half + rows[at + potValueAt + 1]!;
      const low = rows[at + potValueAt]!;
      if (high > highest[to + 2]! || (high === highest[to + 2]! && low > highest[to + 3]!)) {
        highest[to + 2] = high;
        highest[to + 3] = low;
      }
      const isKnown = (this.#gave[2 * pot]![place >>> 5]! >>> (place & 31)) & 1;
      if (isKnown === 0) this.noteRow(pot, ordinal, rows, at);
    }
  }

  /** Notes what the words of a row from `at` on say of a pot: they may be of an earlier cycle. */
  noteRow(pot: number, ordinal: number, rows: Uint32Array, at: number): void {
    const isOfCycle = rows[at + potCycleAt] === this.#cycles[pot];
    if (isOfCycle && (rows[at + potCycleValueAt]! | rows[at + potCycleValueAt + 1]!) !== 0) {
      const high = rows[at + potCycleValueAt + 1]!;
      this.#raise(2 * pot + cycleSums, ordinal, high, rows[at + potCycleValueAt]!);
      addTo(this.#gave[2 * pot + cycleSums]!, ordinal);
    }
    if ((rows[at + potValueAt]! | rows[at + potValueAt + 1]! | rows[at + potValueAt + 2]!) !== 0) {
      const high = rows[at + potValueAt + 2]! * half + rows[at + potValueAt + 1]!;
      this.#raise(2 * pot + lifetimeSums, ordinal, high, rows[at + potValueAt]!);
      addTo(this.#gave[2 * pot + lifetimeSums]!, ordinal);
    }
  }

  /** A pot's cycle sums are of this cycle from now on: those of another one count no more. */
  turnTo(pot: number, cycle: number): void {
    if (this.#cycles[pot] === cycle) return;
    this.#cycles[pot] = cycle;
    this.#gave[2 * pot + cycleSums]!.fill(0);
    const highest = this.#highest;
    for (let at = 4 * pot; at < highest.length; at += 2 * this.#columns) {
      highest[at] = 0;
      highest[at + 1] = 0;
    }
  }

  /** Whether the pot's cycle sums are of this cycle: else nothing was given to it yet. */
  isOf(pot: number, cycle: number): boolean {
    return this.#cycles[pot] === cycle;
  }

  gave(pot: number, sums: Sums): Uint32Array {
    return this.#gave[2 * pot + sums]!;
  }

  /** Offers the highest sum of each of the first `blocks` blocks, lowest first, with the block's number. */
  rankBlocks(pot: number, sums: Sums, blocks: number, ranking: SumRanking): void {
    const highest = this.#highest;
    const step = 2 * this.#columns;
    let { minHigh, minLow } = ranking;
    for (let block = 0, at = 2 * (2 * pot + sums); block < blocks; block++, at += step) {
      const high = highest[at]!;
      const low = highest[at + 1]!;
      if (high < minHigh || (high === minHigh && low <= minLow)) continue;
      ranking.offer(high, low, block);
      ({ minHigh, minLow } = ranking);
    }
  }

  #raise(column: number, ordinal: number, high: number, low: number): void {
    const highest = this.#highest;
    const at = 2 * (((ordinal - 1) >>> blockBits) * this.#columns + column);
    if (high > highest[at]! || (high === highest[at]! && low > highest[at + 1]!)) {
      highest[at] = high;
      highest[at + 1] = low;
    }
  }
}
