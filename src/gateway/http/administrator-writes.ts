import type { Clock } from '../../ports.ts';
import { httpLimits } from './limits.ts';
import { TokenBuckets } from './token-buckets.ts';

const bytesOfWrite = 4_096;

/**
 * Requests of an administrator that change something: so many a second, and five seconds' worth at once. Each 4 KiB of a body count as
 * one more (docs/decisions/0202).
 */
export class AdministratorWrites {
  readonly #buckets: TokenBuckets;

  constructor(clock: Clock, perSecond: number) {
    this.#buckets = new TokenBuckets(clock, {
      perSecond,
      burstSeconds: httpLimits.administratorBurstSeconds,
      maxCallers: httpLimits.countedAdministrators,
    });
  }

  /** @throws PublicError rate_limited */
  take(administrator: string): void {
    this.#buckets.take(administrator);
  }

  /** What the body of a request that was taken counts. */
  charge(administrator: string, bodyBytes: number): void {
    this.#buckets.charge(administrator, Math.floor(bodyBytes / bytesOfWrite));
  }
}
