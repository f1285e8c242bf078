import type { OperatorQuota } from '../../../contracts/directory/directory.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { WinSize } from '../../../messages/bus-messages.ts';
import type { Clock } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';

/** The longest that an operator pays off what its wins made the log store. */
const maxDebtSeconds = 60;

/** What each contribution leaves of the estimate of the next one's win. */
const estimateKept = 0.9;

interface Bucket {
  contributions: number;
  bytes: number;
  atMs: number;
  /** Bytes of the win that the next contribution may bring, as those before it did. */
  winEstimate: number;
}

/**
 * An operator's quota in this process: contributions, and bytes of their bodies and wins, each in a bucket
 * that fills in a second (docs/decisions/0065).
 */
export class OperatorQuotas {
  readonly #clock: Clock;
  readonly #quotaOf: (operator: string) => OperatorQuota | undefined;
  /** Buckets of operators that have a quota, or had one. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, quotaOf: (operator: string) => OperatorQuota | undefined) {
    this.#clock = clock;
    this.#quotaOf = quotaOf;
  }

  /** Returns the bytes reserved for a win, for `release`. @throws PublicError rate_limited */
  take(operator: string, bytes: number): number {
    const quota = this.#quotaOf(operator);
    if (quota === undefined) return 0;
    const bucket = this.#refilled(operator, quota);
    const waitSeconds = Math.max(
      secondsUntil(bucket.contributions, 1, quota.contributions_per_second),
      // A body may be larger than a second's quota: any rest lets it pass, and the excess is waited for.
      secondsUntil(bucket.bytes, 1, quota.bytes_per_second),
    );
    if (waitSeconds > 0) {
      throw new PublicError('rate_limited', '', {
        retryAfterSeconds: Math.ceil(waitSeconds),
        limitedCaller: `operator ${operator}`,
      });
    }
    bucket.contributions -= 1;
    const reservedBytes = Math.floor(bucket.winEstimate);
    bucket.bytes -= bytes + reservedBytes;
    bucket.winEstimate *= estimateKept;
    return reservedBytes;
  }

  release(operator: string, reservedBytes: number): void {
    const bucket = this.#buckets.get(operator);
    if (bucket !== undefined) bucket.bytes += reservedBytes;
  }

  /** What the operators' contributions made the log store: it is paid off before more of them is taken. */
  charge(wins: readonly WinSize[]): void {
    for (const { brand, bytes } of wins) {
      const operator = operatorOf(brand);
      const quota = this.#quotaOf(operator);
      const perSecond = quota?.bytes_per_second ?? null;
      if (quota === undefined || perSecond === null) continue;
      const bucket = this.#refilled(operator, quota);
      const lowest = Math.min(bucket.bytes, -maxDebtSeconds * perSecond);
      bucket.bytes = Math.max(lowest, bucket.bytes - bytes);
      bucket.winEstimate = Math.max(bucket.winEstimate, bytes);
    }
  }

  #refilled(operator: string, quota: OperatorQuota): Bucket {
    const nowMs = this.#clock.elapsedMs();
    const { contributions_per_second: contributions, bytes_per_second: bytes } = quota;
    let bucket = this.#buckets.get(operator);
    if (bucket === undefined) {
      bucket = { contributions: contributions ?? 0, bytes: bytes ?? 0, atMs: nowMs, winEstimate: 0 };
      this.#buckets.set(operator, bucket);
    }
    const seconds = (nowMs - bucket.atMs) / 1000;
    bucket.atMs = nowMs;
    bucket.contributions = refilled(bucket.contributions, contributions, seconds);
    bucket.bytes = refilled(bucket.bytes, bytes, seconds);
    return bucket;
  }
}

function refilled(left: number, perSecond: number | null, seconds: number): number {
  return perSecond === null ? 0 : Math.min(perSecond, left + seconds * perSecond);
}

function secondsUntil(left: number, wanted: number, perSecond: number | null): number {
  return perSecond === null || left >= wanted ? 0 : (wanted - left) / perSecond;
}
