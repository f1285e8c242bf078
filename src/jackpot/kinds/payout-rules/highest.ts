import { highOf, lowOf } from '../../../lib/wide.ts';
import { ORDINAL } from '../../state/player-segment.ts';
import { CandidateList } from './candidates.ts';
import { Ranking } from './ranking.ts';
import type { Election, SharedWin } from './rule.ts';

/** What a player has given to the pot, as lib/wide halves; both zero: nothing. */
export interface Sum {
  high: number;
  low: number;
}

/** Reads the sum of the row that begins at `at`. */
export type SumOf = (rows: Uint32Array, at: number, sum: Sum) => void;

/** The players with the highest sums, the winning contribution counted; ties go to the lower ordinal. */
export function electHighest(win: SharedWin, maximumPayouts: number, sumOf: SumOf): Election {
  const { players, winner } = win;
  const candidates = new CandidateList(players.contributors + 1);
  const ranking = new Ranking(maximumPayouts);
  const sum: Sum = { high: 0, low: 0 };
  return {
    candidates,
    look(rows, count, firstRow) {
      const { stride } = players;
      for (let i = 0, at = 0; i < count; i++, at += stride) {
        const ordinal = rows[at + ORDINAL]!;
        if (ordinal === 0 || firstRow + i === winner.row) continue;
        sumOf(rows, at, sum);
        if (sum.high === 0 && sum.low === 0) continue;
        candidates.add(firstRow + i, ordinal, rows, at);
        ranking.offer(sum.high, sum.low, ordinal);
      }
    },
    elect() {
      return ranking.taken().map((ordinal) => indexOf(candidates, ordinal));
    },
    close() {
      addWinner(win, candidates, ranking, sum, sumOf);
    },
  };
}

/** The winner's row does not know the winning contribution yet. */
function addWinner(
  { players, winner }: SharedWin,
  candidates: CandidateList,
  ranking: Ranking,
  sum: Sum,
  sumOf: SumOf,
): void {
  sum.high = 0;
  sum.low = 0;
  const rows = winner.row < 0 ? null : players.segmentOf(winner.row).rows;
  const known = rows === null ? 0 : rows[players.at(winner.row) + ORDINAL]!;
  if (rows !== null && known > 0) sumOf(rows, players.at(winner.row), sum);
  const atoms = BigInt(sum.high) * 2n ** 32n + BigInt(sum.low) + winner.shareAtoms;
  if (atoms === 0n) return;
  const ordinal = known > 0 ? known : players.contributors + 1;
  candidates.addPseudonym(winner.row, ordinal, winner.pseudonym);
  ranking.offer(highOf(atoms), lowOf(atoms), ordinal);
}

/** The candidates are in order of their ordinals. */
function indexOf(candidates: CandidateList, ordinal: number): number {
  let from = 0;
  let to = candidates.count - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (candidates.ordinal(middle) < ordinal) from = middle + 1;
    else to = middle;
  }
  return from;
}
