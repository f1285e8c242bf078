import { executionLimits } from './limits.ts';

/**
 * The pause behind try `tries` (from 1): 0.5 s doubling to 5 s while the unknown answer is young, then doubling to 5 min. From
 * its age alone, so that another process goes on where the last one stopped.
 */
export function nextPauseMs(tries: number, ageMs: number): number {
  const { firstPauseMs, maxEarlyPauseMs, maxPauseMs, earlyMs } = executionLimits;
  const doubledMs = firstPauseMs * 2 ** Math.min(tries - 1, 20);
  if (ageMs < earlyMs) return Math.min(doubledMs, maxEarlyPauseMs);
  // Pauses of 10 s, 20 s, 40 s and so on begin at these ages.
  const lateMs = ageMs - earlyMs + 2 * maxEarlyPauseMs;
  return Math.min(doubledMs, lateMs, maxPauseMs);
}
