import { addTo, has, removeFrom, wordsFor } from '../../../../lib/ordinal-set.ts';
import { Ranking } from '../../../../lib/ranking.ts';
import { half, highOf, lowOf } from '../../../../lib/wide.ts';
import type { Election } from '../../../state/configuration/configuration.ts';
import { Candidates, type SharedWin } from '../../../state/players/candidates.ts';
import { chunkOrdinals } from '../../../state/players/contributors.ts';
import {
  potCycleValueAt,
  potRowWords,
  potsAt,
  potValueAt,
  readPair,
  readTriple,
  segmentRows,
} from '../../../state/players/player-segment.ts';
import { blockOrdinals, cycleSums, type Sums } from '../../../state/players/standings.ts';

/** The players with the highest sums, the winning contribution counted; ties go to the lower ordinal. */
export function electHighest(win: SharedWin, maxPayouts: number, sums: Sums): Election {
  const { players, winner } = win;
  const set = givers(win, sums);
  const ranking = new Ranking(maxPayouts);
  // Without the winner, whose sum the winning contribution raises.
  const ordinal = winner.row < 0 ? 0 : players.ordinalOf(winner.row);
  const gaveBefore = ordinal > 0 && has(set, ordinal);
  if (gaveBefore) removeFrom(set, ordinal);
  for (const block of highestBlocks(win, maxPayouts, sums)) rankBlock(win, set, block, sums, ranking);
  const atoms = (gaveBefore ? sumOf(win, winner.row, sums) : 0n) + winner.shareAtoms;
  const isNewcomer = ordinal === 0 && atoms > 0n;
  const winnersOrdinal = isNewcomer ? players.contributors + 1 : ordinal;
  if (atoms > 0n) ranking.offer(highOf(atoms), lowOf(atoms), winnersOrdinal);
  if (atoms > 0n && !isNewcomer) addTo(set, ordinal);
  const candidates = new Candidates(win, set, isNewcomer);
  return { candidates, elect: () => ranking.taken().map((each) => candidates.indexOf(each)) };
}

function givers(win: SharedWin, sums: Sums): Uint32Array {
  const { players, room, pot, cycle } = win;
  const words = wordsFor(players.contributors);
  const set = room.take(words);
  const isOver = sums === cycleSums && !players.standings.isOf(pot, cycle);
  if (isOver) set.fill(0, 0, words);
  else set.set(players.standings.gave(pot, sums).subarray(0, words));
  return set;
}

/** The `count` blocks with the highest sums, in order: no other block has one of the `count` highest. */
function highestBlocks({ players, pot }: SharedWin, count: number, sums: Sums): readonly number[] {
  const ranking = new Ranking(count);
  players.standings.rankBlocks(pot, sums, Math.ceil(players.contributors / blockOrdinals), ranking);
  return [...ranking.taken()].sort((one, other) => one - other);
}

/** A later block ranks lower of equals. A plain loop: with many blocks, uncompiled lines count. */
function rankBlock(win: SharedWin, set: Uint32Array, block: number, sums: Sums, ranking: Ranking): void {
  const { players, pot } = win;
  const { segments, stride } = players;
  const sumAt = potsAt + potRowWords * pot + (sums === cycleSums ? potCycleValueAt : potValueAt);
  const chunk = players.byOrdinal.chunks[Math.floor((block * blockOrdinals) / chunkOrdinals)]!;
  const { rows: rowsByPlace, firstRow } = chunk;
  const end = Math.min(players.contributors, (block + 1) * blockOrdinals);
  let { minHigh, minLow } = ranking;
  for (let place = block * blockOrdinals; place < end; place++) {
    if (((set[place >>> 5]! >>> (place & 31)) & 1) === 0) continue;
    const inChunk = place % chunkOrdinals;
    const row = rowsByPlace === null ? firstRow + inChunk : rowsByPlace[inChunk]!;
    const { rows } = segments[row >>> 12]!;
    const at = (row % segmentRows) * stride + sumAt;
    const high = rows[at + 1]! + (sums === cycleSums ? 0 : rows[at + 2]! * half);
    const low = rows[at]!;
    if (high < minHigh || (high === minHigh && low <= minLow)) continue;
    ranking.offer(high, low, place + 1);
    ({ minHigh, minLow } = ranking);
  }
}

function sumOf({ players, pot }: SharedWin, row: number, sums: Sums): bigint {
  const { rows } = players.segmentOf(row);
  const at = players.at(row) + potsAt + potRowWords * pot;
  return sums === cycleSums ? readPair(rows, at + potCycleValueAt) : readTriple(rows, at + potValueAt);
}
