import { HALF, highOf, lowOf } from '../../../lib/wide.ts';
import { ORDINAL } from '../../state/player-segment.ts';
import { candidatesOf } from './candidates.ts';
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
  const candidates = candidatesOf(win);
  const ranking = new Ranking(maximumPayouts);
  const sum: Sum = { high: 0, low: 0 };
  let sawWinner = false;
  return {
    candidates,
    look(rows, count, firstRow) {
      const { stride } = players;
      for (let i = 0, at = 0; i < count; i++, at += stride) {
        const ordinal = rows[at + ORDINAL]!;
        if (ordinal === 0) continue;
        sumOf(rows, at, sum);
        if (firstRow + i === winner.row) {
          sawWinner = true;
          add(sum, winner.shareAtoms);
        }
        if (sum.high === 0 && sum.low === 0) continue;
        ranking.offer(sum.high, sum.low, candidates.add(firstRow + i, ordinal, rows, at));
      }
    },
    close() {
      // The winning contribution may be the player's first: the row does not know it yet.
      if (!sawWinner && winner.shareAtoms > 0n) {
        const place = candidates.addLast(winner.row, players.contributors + 1, winner.pseudonym);
        ranking.offer(highOf(winner.shareAtoms), lowOf(winner.shareAtoms), place);
      }
      candidates.close();
    },
    elect: () => ranking.taken().map((place) => candidates.indexOf(place)),
  };
}

function add(sum: Sum, atoms: bigint): void {
  const total = BigInt(sum.high) * BigInt(HALF) + BigInt(sum.low) + atoms;
  sum.high = highOf(total);
  sum.low = lowOf(total);
}
