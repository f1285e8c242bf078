import type { Clock } from '../../ports.ts';
import { PublicError } from '../errors.ts';
import { httpLimits } from './limits.ts';

/** The changes that an administrator may still make now. */
interface Bucket {
  writes: number;
  atMs: number;
}

const bytesOfWrite = 4_096;

/**
 * Requests of an administrator that change something: so many a second, and five seconds' worth at once. Each 4 KiB of a body count as
 * one more (docs/decisions/0202).
 */
export class AdministratorWrites {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** @throws PublicError rate_limited */
  take(administrator: string): void {
    const bucket = this.#refilled(administrator);
    if (bucket.writes < 1) {
      const retryAfterSeconds = Math.ceil((1 - bucket.writes) / this.#perSecond);
      throw new PublicError('rate_limited', '', { retryAfterSeconds });
    }
    bucket.writes -= 1;
  }

  /** What the body of a request that was taken counts. */
  charge(administrator: string, bodyBytes: number): void {
    this.#refilled(administrator).writes -= Math.floor(bodyBytes / bytesOfWrite);
  }

  #refilled(administrator: string): Bucket {
    const nowMs = this.#clock.nowMs();
    const max = this.#perSecond * httpLimits.administratorBurstSeconds;
    const known = this.#buckets.get(administrator);
    if (known !== undefined) {
      const seconds = Math.max(0, nowMs - known.atMs) / 1000;
      known.writes = Math.min(max, known.writes + seconds * this.#perSecond);
      known.atMs = nowMs;
      return known;
    }
    if (this.#buckets.size >= httpLimits.countedAdministrators)
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    const bucket = { writes: max, atMs: nowMs };
    this.#buckets.set(administrator, bucket);
    return bucket;
  }
}
