import type { Clock } from '../../ports.ts';
import { PublicError } from './errors.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

interface BucketSize {
  readonly perSecond: number;
  /** Who the callers are, before their names: `operator`. */
  readonly callers: string;
  /** How many seconds' worth may come at once. */
  readonly burstSeconds: number;
  /** Callers that are counted; beyond, those counted first are forgotten. */
  readonly maxCallers: number;
}

/** Limits each caller's requests a second. */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #size: BucketSize;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock;
    this.#size = size;
  }

  /** @throws PublicError rate_limited */
  take(caller: string): void {
    const bucket = this.#refilled(caller);
    if (bucket.tokens < 1) {
      const retryAfterSeconds = Math.ceil((1 - bucket.tokens) / this.#size.perSecond);
      const limitedCaller = `${this.#size.callers} ${caller}`;
      throw new PublicError('rate_limited', '', { retryAfterSeconds, limitedCaller });
    }
    bucket.tokens -= 1;
  }

  /** What a request that was taken costs beyond the one: the next ones wait for it. */
  charge(caller: string, tokens: number): void {
    this.#refilled(caller).tokens -= tokens;
  }

  #refilled(caller: string): Bucket {
    const { perSecond, burstSeconds, maxCallers } = this.#size;
    const nowMs = this.#clock.elapsedMs();
    const max = perSecond * burstSeconds;
    const known = this.#buckets.get(caller);
    if (known !== undefined) {
      const seconds = (nowMs - known.atMs) / 1000;
      known.tokens = Math.min(max, known.tokens + seconds * perSecond);
      known.atMs = nowMs;
      return known;
    }
    if (this.#buckets.size >= maxCallers) this.#buckets.delete(this.#buckets.keys().next().value as string);
    const bucket = { tokens: max, atMs: nowMs };
    this.#buckets.set(caller, bucket);
    return bucket;
  }
}
