import { pick } from '../../draw/picks.ts';
import { LAST_CONTRIBUTION_MS, ORDINAL, readMs } from '../../state/player-segment.ts';
import { type CandidateList, candidatesOf } from './candidates.ts';
import { type PayoutRuleType, readMaximumPayouts, type SharedWin } from './rule.ts';

/** Distinct players with a contribution to the instance in (t − period, t], the winner excluded, drawn uniformly. */
export const activePlayers: PayoutRuleType = {
  read(parameters) {
    if (!parameters.has('period_before_win')) parameters.fault('period_before_win', 'is missing');
    const periodMs = parameters.integer('period_before_win', 0, 0) ?? 0;
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'ActivePlayers',
      maximumPayouts,
      election(win) {
        const candidates = candidatesOf(win);
        return {
          candidates,
          look: (rows, count, firstRow) =>
            look(win, candidates, win.timestampMs - periodMs, rows, count, firstRow),
          close: () => candidates.close(),
          elect: (lanes) => (candidates.count === 0 ? [] : pick(lanes(), candidates.count, maximumPayouts)),
        };
      },
    };
  },
};

function look(
  { players, winner }: SharedWin,
  candidates: CandidateList,
  afterMs: number,
  rows: Uint32Array,
  count: number,
  firstRow: number,
): void {
  const { stride } = players;
  for (let i = 0, at = 0; i < count; i++, at += stride) {
    const ordinal = rows[at + ORDINAL]!;
    if (ordinal === 0 || readMs(rows, at + LAST_CONTRIBUTION_MS) <= afterMs) continue;
    if (firstRow + i !== winner.row) candidates.add(firstRow + i, ordinal, rows, at);
  }
}
