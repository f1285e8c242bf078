import { pause } from '../../lib/pauses.ts';
import { type Clock, LogError } from '../../ports.ts';

const firstPauseMs = 20;
const maxPauseMs = 1000;

/**
 * Tries again, ever more slowly, while the log has an outage; null once `stopped` says so. With `onFull` it
 * also waits for a full stream, and reports each refusal.
 * @throws errors that no repetition can heal
 */
export async function throughOutages<T>(
  clock: Clock,
  stopped: () => boolean,
  attempt: () => Promise<T>,
  onFull?: () => void,
): Promise<T | null> {
  for (let pauseMs = firstPauseMs; !stopped(); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      const isFull = error instanceof LogError && error.code === 'full' && onFull !== undefined;
      if (isFull) onFull();
      else if (!(error instanceof LogError && error.retryable)) throw error;
    }
    await pause(clock, pauseMs);
  }
  return null;
}
