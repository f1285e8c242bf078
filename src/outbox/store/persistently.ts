import { pause } from '../../lib/pauses.ts';
import { type Clock, isUnreadable, LogError } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';

/** The work was given up, because its lane is no longer this process's. */
export class Stopped extends Error {}

/**
 * Repeats work until the log has done it: through outages, and while it has no room.
 * @throws Stopped once `stopped` says so; LogError `corrupt`, `unsupported`
 */
export async function persistently<T>(
  { clock, stopped }: { readonly clock: Clock; readonly stopped: () => boolean },
  work: () => Promise<T>,
): Promise<T> {
  let pauseMs: number = outboxLimits.minPauseMs;
  while (!stopped()) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogError) || isUnreadable(error)) throw error;
    }
    await pause(clock, pauseMs);
    pauseMs = Math.min(2 * pauseMs, outboxLimits.maxPauseMs);
  }
  throw new Stopped('The lane was given up.');
}
