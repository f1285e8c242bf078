import { type Clock, LogError } from '../lib/ports.ts';

const firstPauseMs = 20;
const longestPauseMs = 1000;

export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/**
 * Tries again, ever more slowly, for as long as the log's outage lasts; null once `stopped` says so.
 * Errors that no repetition can heal are thrown.
 */
export async function throughOutages<T>(
  clock: Clock,
  stopped: () => boolean,
  attempt: () => Promise<T>,
): Promise<T | null> {
  for (let pauseMs = firstPauseMs; !stopped(); pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LogError && error.retryable)) throw error;
    }
    await pause(clock, pauseMs);
  }
  return null;
}
