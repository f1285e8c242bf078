import type { Random } from '../../ports.ts';
import type { DeliveryContent } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { TryError, TryResult } from '../send/sender.ts';
import type { Backlog, DeliveryProgress } from '../store/entries.ts';

export type FailedTry = Extract<TryResult, { kind: 'failed' }>;

interface Now {
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
 * Money goes back to its pool only if the receiver certainly does not have it: it refused the first try that
 * it can have seen, or none was sent. Otherwise a person decides (docs/decisions/0281).
 */
function ofFlush(before: DeliveryProgress, failed: FailedTry, next: DeliveryProgress): DeliveryProgress {
  const sent = !unsent.has(failed.error);
  if (failed.refused && !before.mayHaveArrived) return failedForGood(next);
  const mayHaveArrived = before.mayHaveArrived || sent;
  if (failed.refused) return { ...next, state: 'dead', nextMs: next.lastTryMs, mayHaveArrived };
  if (next.state === 'dead' && !mayHaveArrived) return failedForGood(next);
  return { ...next, mayHaveArrived };
}

/** The lane learns it a little later: the next contribution may begin a flush that fails as fast. */
function failedForGood(next: DeliveryProgress): DeliveryProgress {
  return {
    ...next,
    state: 'pending',
    outcome: 'failed',
    mayHaveArrived: false,
    nextMs: next.lastTryMs + outboxLimits.failedFlushPauseMs,
  };
}

/**
 * Whether a backlog's failed callback gets an entry and the walk goes on: the receiver answers, so later ones
 * may succeed. Without room it gets one after its last try, as a dead one: at most one an hour.
 */
export function mayBeStored(
  { tries }: Pick<Backlog, 'tries'>,
  { status }: FailedTry,
  hasRoom: boolean,
): boolean {
  return status !== null && (hasRoom || tries + 1 >= maxTries);
}

/**
 * A backlog is tried again by the schedule, then every 10 minutes. It is dead if its receiver has accepted
 * nothing for as long as the log keeps records, or may not be called any more.
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

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause before each try, from the first one on (docs/rules/callbacks.md "Tries"). */
const pausesMs = [
  0,
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
] as const;
/** The part by which a pause is longer at most: receivers that come back do not get everything at once. */
const jitter = 0.1;

const maxTries = pausesMs.length;

/** The pause after `tries` tries; null: that was the last one. */
function pauseAfter(tries: number, random: Random): number | null {
  const pauseMs = pausesMs[tries];
  if (pauseMs === undefined) return null;
  const [a = 0, b = 0] = random.bytes(2);
  return Math.round(pauseMs * (1 + (jitter * (256 * a + b)) / 65_536));
}
