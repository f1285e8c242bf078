import { HALF, highOf, lowOf } from '../../../lib/wide.ts';
import { CHUNK_ORDINALS } from '../../state/contributors.ts';
import { has, leaveOut, putIn, wordsFor } from '../../state/ordinal-set.ts';
import {
  POT_CYCLE_VALUE,
  POT_ROW_WORDS,
  POT_VALUE,
  POTS_AT,
  readPair,
  readTriple,
  SEGMENT_ROWS,
} from '../../state/player-segment.ts';
import { BLOCK_ORDINALS, CYCLE_SUMS, type Sums } from '../../state/standings.ts';
import type { SharedWin } from './candidates.ts';
import { Candidates } from './candidates.ts';
import { Ranking } from './ranking.ts';
import type { Election } from './rule.ts';

/** The players with the highest sums, the winning contribution counted; ties go to the lower ordinal. */
export function electHighest(win: SharedWin, maximumPayouts: number, sums: Sums): Election {
  const { players, winner } = win;
  const set = givers(win, sums);
  const ranking = new Ranking(maximumPayouts);
  // Without the winner, whose sum the winning contribution raises.
  const ordinal = winner.row < 0 ? 0 : players.ordinalOf(winner.row);
  const gaveBefore = ordinal > 0 && has(set, ordinal);
  if (gaveBefore) leaveOut(set, ordinal);
  for (const block of highestBlocks(win, maximumPayouts, sums)) rankBlock(win, set, block, sums, ranking);
  const atoms = (gaveBefore ? sumOf(win, winner.row, sums) : 0n) + winner.shareAtoms;
  const isNewcomer = ordinal === 0 && atoms > 0n;
  const winnersOrdinal = isNewcomer ? players.contributors + 1 : ordinal;
  if (atoms > 0n) ranking.offer(highOf(atoms), lowOf(atoms), winnersOrdinal);
  if (atoms > 0n && !isNewcomer) putIn(set, ordinal);
  const candidates = new Candidates(win, set, isNewcomer);
  return { candidates, elect: () => ranking.taken().map((each) => candidates.indexOf(each)) };
}

/** Who had given anything before the win. */
function givers(win: SharedWin, sums: Sums): Uint32Array {
  const { players, room, pot, cycle } = win;
  const words = wordsFor(players.contributors);
  const set = room.take(words);
  const isOver = sums === CYCLE_SUMS && !players.standings.isOf(pot, cycle);
  if (isOver) set.fill(0, 0, words);
  else set.set(players.standings.gave(pot, sums).subarray(0, words));
  return set;
}

/**
 * The `count` blocks with the highest sums, in their order: whoever is in none of them stands behind the highest of each,
 * and is none of the `count` highest players.
 */
function highestBlocks({ players, pot }: SharedWin, count: number, sums: Sums): readonly number[] {
  const ranking = new Ranking(count);
  players.standings.rankBlocks(pot, sums, Math.ceil(players.contributors / BLOCK_ORDINALS), ranking);
  return [...ranking.taken()].sort((one, other) => one - other);
}

/**
 * Blocks come in order: of equal sums those that come later stand behind. A plain loop without calls: with many blocks it
 * counts what a line costs before it is compiled.
 */
function rankBlock(win: SharedWin, set: Uint32Array, block: number, sums: Sums, ranking: Ranking): void {
  const { players, pot } = win;
  const { segments, stride } = players;
  const sumAt = POTS_AT + POT_ROW_WORDS * pot + (sums === CYCLE_SUMS ? POT_CYCLE_VALUE : POT_VALUE);
  const rowsByPlace = players.byOrdinal.chunks[Math.floor((block * BLOCK_ORDINALS) / CHUNK_ORDINALS)]!.rows;
  const end = Math.min(players.contributors, (block + 1) * BLOCK_ORDINALS);
  let { leastHigh, leastLow } = ranking;
  for (let place = block * BLOCK_ORDINALS; place < end; place++) {
    if (((set[place >>> 5]! >>> (place & 31)) & 1) === 0) continue;
    const row = rowsByPlace[place % CHUNK_ORDINALS]!;
    const { rows } = segments[row >>> 12]!;
    const at = (row % SEGMENT_ROWS) * stride + sumAt;
    const high = rows[at + 1]! + (sums === CYCLE_SUMS ? 0 : rows[at + 2]! * HALF);
    const low = rows[at]!;
    if (high < leastHigh || (high === leastHigh && low <= leastLow)) continue;
    ranking.offer(high, low, place + 1);
    ({ leastHigh, leastLow } = ranking);
  }
}

function sumOf({ players, pot }: SharedWin, row: number, sums: Sums): bigint {
  const { rows } = players.segmentOf(row);
  const at = players.at(row) + POTS_AT + POT_ROW_WORDS * pot;
  return sums === CYCLE_SUMS ? readPair(rows, at + POT_CYCLE_VALUE) : readTriple(rows, at + POT_VALUE);
}
