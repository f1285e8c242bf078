import { HALF, highOf, lowOf } from '../../../lib/wide.ts';
import { ORDINAL, SEGMENT_ROWS } from '../../state/player-segment.ts';
import { type CandidateList, candidatesOf } from './candidates.ts';
import { Ranking } from './ranking.ts';
import type { Election, SharedWin } from './rule.ts';

/** Where in a player's row a sum stands, lowest word first, and where its cycle: words from the row's beginning. */
export interface SumPlace {
  readonly low: number;
  readonly high: number;
  /** null: the sum has two words only. */
  readonly top: number | null;
  /** null: it is of all cycles. Else it counts where this word is the win's cycle. */
  readonly cycle: number | null;
}

/** The players with the highest sums, the winning contribution counted; ties go to the lower ordinal. */
export function electHighest(win: SharedWin, maximumPayouts: number, place: SumPlace): Election {
  return new HighestElection(win, maximumPayouts, place);
}

class HighestElection implements Election {
  readonly candidates: CandidateList;
  readonly #win: SharedWin;
  readonly #place: SumPlace;
  readonly #ranking: Ranking;
  /** Candidates among the rows at hand. */
  readonly #found: Uint32Array;
  #sawWinner = false;

  constructor(win: SharedWin, maximumPayouts: number, place: SumPlace) {
    this.candidates = candidatesOf(win);
    this.#win = win;
    this.#place = place;
    this.#ranking = new Ranking(maximumPayouts);
    this.#found = win.room.take(SEGMENT_ROWS);
  }

  look(rows: Uint32Array, count: number, firstRow: number): void {
    const found = this.#find(rows, count, firstRow);
    const before = this.candidates.count;
    this.candidates.addAll(rows, this.#found, found, firstRow);
    this.#rank(rows, found, firstRow, before);
  }

  close(): void {
    const { players, winner } = this.#win;
    // The winning contribution may be the player's first: the row does not know it yet.
    if (!this.#sawWinner && winner.shareAtoms > 0n) {
      this.candidates.addLast(winner.row, players.contributors + 1, winner.pseudonym);
      const place = this.candidates.place(this.candidates.count - 1);
      this.#ranking.offer(highOf(winner.shareAtoms), lowOf(winner.shareAtoms), place);
    }
    this.candidates.close();
  }

  elect(): readonly number[] {
    return this.#ranking.taken().map((place) => this.candidates.indexOf(place));
  }

  /** Those who gave anything; how many. */
  #find(rows: Uint32Array, count: number, firstRow: number): number {
    const { players, winner, cycle } = this.#win;
    const { low, high, top } = this.#place;
    const { stride } = players;
    const found = this.#found;
    const topAt = top ?? high;
    // What a row says of an earlier cycle is not cleared before the player's next contribution.
    const cycleAt = this.#place.cycle;
    let n = 0;
    for (let i = 0, at = 0; i < count; i++, at += stride) {
      if (rows[at + ORDINAL]! === 0) continue;
      const isOver = cycleAt !== null && rows[at + cycleAt]! !== cycle;
      const gave = !isOver && (rows[at + low]! !== 0 || rows[at + high]! !== 0 || rows[at + topAt]! !== 0);
      if (gave || (firstRow + i === winner.row && winner.shareAtoms > 0n)) found[n++] = i;
    }
    return n;
  }

  #rank(rows: Uint32Array, count: number, firstRow: number, before: number): void {
    const { players, winner, cycle } = this.#win;
    const { low, high, top, cycle: cycleAt } = this.#place;
    const { stride } = players;
    const found = this.#found;
    const ranking = this.#ranking;
    for (let k = 0; k < count; k++) {
      const i = found[k]!;
      const at = i * stride;
      let sumHigh = rows[at + high]! + (top === null ? 0 : rows[at + top]! * HALF);
      let sumLow = rows[at + low]!;
      if (firstRow + i === winner.row) {
        this.#sawWinner = true;
        const isOver = cycleAt !== null && rows[at + cycleAt]! !== cycle;
        const earlier = isOver ? 0n : BigInt(sumHigh) * BigInt(HALF) + BigInt(sumLow);
        sumHigh = highOf(earlier + winner.shareAtoms);
        sumLow = lowOf(earlier + winner.shareAtoms);
      }
      // Nearly all stand behind those who lead, and a call costs more than this.
      if (sumHigh >= ranking.leastHigh) ranking.offer(sumHigh, sumLow, this.candidates.place(before + k));
    }
  }
}
