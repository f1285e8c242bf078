import { removeFrom, wordsFor } from '../../../../lib/ordinal-set.ts';
import type { Election } from '../../../state/configuration/configuration.ts';
import { Candidates, type SharedWin } from '../../../state/players/candidates.ts';
import { chunkOrdinals } from '../../../state/players/contributors.ts';
import { pick } from '../../keystreams/keystream.ts';

/** Players with a contribution to the instance after a moment, the winner excluded, drawn uniformly. */
export function electActive(win: SharedWin, afterMs: number, maxPayouts: number): Election {
  const { players, room, winner } = win;
  const set = room.take(wordsFor(players.contributors));
  players.byOrdinal.chunks.forEach(({ lastMs, sinceMs }, number) => {
    const first = number * chunkOrdinals;
    const count = Math.min(chunkOrdinals, players.contributors - first);
    if (sinceMs > afterMs) markAll(count, set, first / 32);
    else markActive(lastMs, count, afterMs, set, first / 32);
  });
  const ordinal = winner.row < 0 ? 0 : players.ordinalOf(winner.row);
  if (ordinal > 0) removeFrom(set, ordinal);
  const candidates = new Candidates(win, set, false);
  return {
    candidates,
    elect: (keystream) => (candidates.count === 0 ? [] : pick(keystream(), candidates.count, maxPayouts)),
  };
}

function markAll(count: number, set: Uint32Array, word: number): void {
  const whole = count >>> 5;
  set.fill(0xffff_ffff, word, word + whole);
  if (count & 31) set[word + whole] = (1 << (count & 31)) - 1;
}

/** Plain loops: with a million contributors it counts what a line costs before it is compiled. */
function markActive(lastMs: Float64Array, count: number, afterMs: number, set: Uint32Array, word: number) {
  for (let from = 0, to = word; from < count; from += 32, to++) {
    const here = Math.min(32, count - from);
    let bits = 0;
    for (let i = 0; i < here; i++) if (lastMs[from + i]! > afterMs) bits |= 1 << i;
    set[to] = bits;
  }
}
