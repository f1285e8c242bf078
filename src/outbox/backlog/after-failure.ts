import { outboxLimits } from '../delivery/limits.ts';
import { maxTries, pauseAfter } from '../send/schedule.ts';
import type { Backlog } from '../store/backlog.ts';
import type { FailedTry, Now } from '../stored/progress.ts';

/**
 * Whether the failed callback gets an entry and the walk goes on. The receiver answers, so those behind it may succeed.
 * Where entries have no room it gets one after its last try, as a dead one: at most one an hour.
 */
export function mayBeStored(
  { tries }: Pick<Backlog, 'tries'>,
  { status }: FailedTry,
  hasRoom: boolean,
): boolean {
  return status !== null && (hasRoom || tries + 1 >= maxTries);
}

/**
 * A backlog is tried again by the schedule, and every 10 minutes once that has come so far: it has new callbacks too. It is
 * dead if its receiver has accepted nothing for as long as the log keeps records, or may not be called any more.
 */
export function afterBacklogFailure(
  { tries, acceptedMs }: Pick<Backlog, 'tries' | 'acceptedMs'>,
  { error, final }: FailedTry,
  { nowMs, random }: Now,
): Pick<Backlog, 'state' | 'tries' | 'nextMs' | 'lastError' | 'lastTryMs'> {
  const isDead = final || nowMs - acceptedMs >= outboxLimits.backlogLifeMs;
  const pauseMs = pauseAfter(Math.min(tries + 1, outboxLimits.backlogPauses), random) ?? 0;
  return {
    state: isDead ? 'dead' : 'pending',
    tries: tries + 1,
    nextMs: nowMs + (isDead ? 0 : pauseMs),
    lastError: error,
    lastTryMs: nowMs,
  };
}
