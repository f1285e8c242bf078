import type { Random } from '../../ports.ts';
import type { DeliveryContent } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { maxTries, pauseAfter } from '../send/schedule.ts';
import type { TryError, TryResult } from '../send/sender.ts';
import type { DeliveryProgress } from '../store/stored-delivery.ts';

export type FailedTry = Extract<TryResult, { kind: 'failed' }>;

export interface Now {
  readonly nowMs: number;
  readonly random: Random;
}

/** Before the first try. */
export function untried(nowMs: number): DeliveryProgress {
  return {
    state: 'pending',
    tries: 0,
    nextMs: nowMs,
    lastError: '',
    lastTryMs: 0,
    mayHaveArrived: false,
    outcome: '',
  };
}

/** After a try that failed (docs/rules/callbacks.md "Tries"). */
export function afterFailure(
  kind: DeliveryContent['kind'],
  before: DeliveryProgress,
  failed: FailedTry,
  now: Now,
): DeliveryProgress {
  const next = afterTry(before, failed, now);
  return kind === 'DiversionFlush' ? ofFlush(before, failed, next) : next;
}

function afterTry(before: DeliveryProgress, { error, final }: FailedTry, now: Now): DeliveryProgress {
  const tries = before.tries + 1;
  const pauseMs = final || tries >= maxTries ? null : pauseAfter(tries, now.random);
  const { nowMs } = now;
  return {
    ...before,
    state: pauseMs === null ? 'dead' : 'pending',
    tries,
    nextMs: nowMs + (pauseMs ?? 0),
    lastError: error,
    lastTryMs: nowMs,
  };
}

/** After these nothing was sent. */
const unsent: ReadonlySet<TryError> = new Set<TryError>([
  'name_not_resolved',
  'address_not_allowed',
  'endpoint_not_allowed',
  'receiver_down',
]);

/**
 * Money may only go back to its pool if the receiver certainly does not have it: it refused the first try that it can have
 * seen, or no try was sent at all. Otherwise a person decides (docs/decisions/0281).
 */
function ofFlush(before: DeliveryProgress, failed: FailedTry, next: DeliveryProgress): DeliveryProgress {
  const sent = !unsent.has(failed.error);
  if (failed.refused && !before.mayHaveArrived) return failedForGood(next);
  const mayHaveArrived = before.mayHaveArrived || sent;
  if (failed.refused) return { ...next, state: 'dead', nextMs: next.lastTryMs, mayHaveArrived };
  if (next.state === 'dead' && !mayHaveArrived) return failedForGood(next);
  return { ...next, mayHaveArrived };
}

/** The lane hears of it a little later: the next contribution may begin another flush, which would fail as fast. */
function failedForGood(next: DeliveryProgress): DeliveryProgress {
  return {
    ...next,
    state: 'pending',
    outcome: 'failed',
    mayHaveArrived: false,
    nextMs: next.lastTryMs + outboxLimits.failedFlushPauseMs,
  };
}
