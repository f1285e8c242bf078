import { executionLimits } from './limits.ts';

/** The pause behind try `tries` (from 1): 0.5 s doubling to 5 s while the unknown answer is young, then to 5 min. */
export function nextPauseMs(tries: number, ageMs: number): number {
  const { firstPauseMs, maxEarlyPauseMs, maxPauseMs, earlyMs } = executionLimits;
  const doubled = firstPauseMs * 2 ** Math.min(tries - 1, 20);
  return Math.min(doubled, ageMs < earlyMs ? maxEarlyPauseMs : maxPauseMs);
}
