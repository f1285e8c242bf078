import { pick } from '../../draw/picks.ts';
import { LAST_CONTRIBUTION_MS, ORDINAL, readMs, SEGMENT_ROWS } from '../../state/player-segment.ts';
import { candidatesOf } from './candidates.ts';
import { type Election, type PayoutRuleType, readMaximumPayouts, type SharedWin } from './rule.ts';

/** Distinct players with a contribution to the instance in (t − period, t], the winner excluded, drawn uniformly. */
export const activePlayers: PayoutRuleType = {
  read(parameters) {
    if (!parameters.has('period_before_win')) parameters.fault('period_before_win', 'is missing');
    const periodMs = parameters.integer('period_before_win', 0, 0) ?? 0;
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'ActivePlayers',
      maximumPayouts,
      election: (win) => electActive(win, win.timestampMs - periodMs, maximumPayouts),
    };
  },
};

function electActive(win: SharedWin, afterMs: number, maximumPayouts: number): Election {
  const candidates = candidatesOf(win);
  const found = win.room.take(SEGMENT_ROWS);
  const { stride } = win.players;
  const winner = win.winner.row;
  return {
    candidates,
    look(rows, count, firstRow) {
      let n = 0;
      for (let i = 0, at = 0; i < count; i++, at += stride) {
        if (rows[at + ORDINAL]! === 0 || readMs(rows, at + LAST_CONTRIBUTION_MS) <= afterMs) continue;
        if (firstRow + i !== winner) found[n++] = i;
      }
      candidates.addAll(rows, found, n, firstRow);
    },
    close: () => candidates.close(),
    elect: (lanes) => (candidates.count === 0 ? [] : pick(lanes(), candidates.count, maximumPayouts)),
  };
}
