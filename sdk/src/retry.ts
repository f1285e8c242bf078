import { setTimeout as timer } from 'node:timers/promises';
import { LoginError, noAnswer, type PotstreamError } from './errors.ts';

export interface RetryLimits {
  /** The first attempt included. */
  readonly maxAttempts: number;
  /** Potstream answers within 8 s. */
  readonly attemptTimeoutMs: number;
  /** Over all attempts and waits; no attempt starts later. */
  readonly maxElapsedMs: number;
}

export const defaultRetryLimits: RetryLimits = {
  maxAttempts: 6,
  attemptTimeoutMs: 10_000,
  maxElapsedMs: 30_000,
};

/** Time and chance; tests replace them. */
export interface Pace {
  nowMs(): number;
  /** At least 0 and less than 1. */
  random(): number;
  /** Rejects when the signal aborts. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
}

export const realPace: Pace = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  wait: (delayMs, signal) => timer(delayMs, undefined, signal === undefined ? {} : { signal }),
};

/** The last error of a request, and whether one of its attempts may have had an effect. */
export class Failure {
  readonly error: PotstreamError;
  readonly mayHaveEffect: boolean;

  constructor(error: PotstreamError, mayHaveEffect: boolean) {
    this.error = error;
    this.mayHaveEffect = mayHaveEffect;
  }
}

const firstDelayMs = 100;
const maxDelayMs = 5_000;

/**
 * Makes attempts until one succeeds, is refused for good, or the limits are reached. Requests must be safe to repeat:
 * reads, or writes with an idempotency key. @throws Failure
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  limits: RetryLimits,
  pace: Pace,
  signal?: AbortSignal,
): Promise<T> {
  const endsAtMs = pace.nowMs() + limits.maxElapsedMs;
  let mayHaveEffect = false;
  for (let attempts = 1; ; attempts += 1) {
    if (isAborted(signal)) throw new Failure(noAnswer(signal?.reason), mayHaveEffect);
    try {
      return await attempt();
    } catch (caught) {
      const error = noAnswer(caught);
      mayHaveEffect ||= isUncertain(error);
      const delayMs = delayBefore(attempts, error, pace.random());
      const isOver = attempts >= limits.maxAttempts || pace.nowMs() + delayMs > endsAtMs;
      if (isOver || isAborted(signal) || !isTemporary(error)) throw new Failure(error, mayHaveEffect);
      await pace.wait(delayMs, signal).catch((reason) => {
        throw new Failure(noAnswer(reason), mayHaveEffect);
      });
    }
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Whether the same request may be answered differently in a moment. */
export function isTemporary({ status_code: status, code }: PotstreamError): boolean {
  if (status === null || code === 'idempotency_in_progress') return true;
  return [408, 429, 502, 503, 504].includes(status);
}

/** Potstream refuses before any effect, with the exception of 500 and 504; others' answers say nothing of the effect. */
export function isUncertain(error: PotstreamError): boolean {
  if (error instanceof LoginError) return false;
  const { status_code: status, code } = error;
  if (status === null || code === 'unexpected_answer' || code === 'idempotency_in_progress') return true;
  return status === 500 || status === 504;
}

/** At least what the answer asks for; else doubled each time. The random part keeps callers from coming back at once. */
export function delayBefore(attempts: number, error: PotstreamError, random: number): number {
  const backOffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
  return (error.retry_after_ms ?? 0) + backOffMs * (0.5 + random / 2);
}
