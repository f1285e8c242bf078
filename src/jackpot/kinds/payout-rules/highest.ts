import { HALF, highOf, lowOf } from '../../../lib/wide.ts';
import {
  POT_CYCLE_VALUE,
  POT_ROW_WORDS,
  POT_VALUE,
  POTS_AT,
  readPair,
  readTriple,
} from '../../state/player-segment.ts';
import { BLOCK_ORDINALS, CYCLE_SUMS, type Sums } from '../../state/standings.ts';
import { Candidates } from './candidates.ts';
import { has, leaveOut, putIn, wordsFor } from './ordinal-set.ts';
import { Ranking } from './ranking.ts';
import type { Election, SharedWin } from './rule.ts';

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
  else players.standings.copyGave(pot, sums, set, words);
  return set;
}

/**
 * The `count` blocks with the highest sums: whoever is in none of them stands behind the highest of each, and is none of
 * the `count` highest players.
 */
function highestBlocks({ players, pot }: SharedWin, count: number, sums: Sums): readonly number[] {
  const { standings, contributors } = players;
  const ranking = new Ranking(count);
  for (let block = 0; block * BLOCK_ORDINALS < contributors; block++) {
    ranking.offer(standings.highOf(pot, sums, block), standings.lowOf(pot, sums, block), block);
  }
  return ranking.taken();
}

function rankBlock(win: SharedWin, set: Uint32Array, block: number, sums: Sums, ranking: Ranking): void {
  const { players, pot } = win;
  const { byOrdinal } = players;
  const place = POTS_AT + POT_ROW_WORDS * pot + (sums === CYCLE_SUMS ? POT_CYCLE_VALUE : POT_VALUE);
  const last = Math.min(players.contributors, (block + 1) * BLOCK_ORDINALS);
  for (let ordinal = block * BLOCK_ORDINALS + 1; ordinal <= last; ordinal++) {
    if (!has(set, ordinal)) continue;
    const row = byOrdinal.row(ordinal);
    const { rows } = players.segmentOf(row);
    const at = players.at(row) + place;
    const high = rows[at + 1]! + (sums === CYCLE_SUMS ? 0 : rows[at + 2]! * HALF);
    // Nearly all stand behind those who lead, and a call costs more than this.
    if (high >= ranking.leastHigh) ranking.offer(high, rows[at]!, ordinal);
  }
}

function sumOf({ players, pot }: SharedWin, row: number, sums: Sums): bigint {
  const { rows } = players.segmentOf(row);
  const at = players.at(row) + POTS_AT + POT_ROW_WORDS * pot;
  return sums === CYCLE_SUMS ? readPair(rows, at + POT_CYCLE_VALUE) : readTriple(rows, at + POT_VALUE);
}
