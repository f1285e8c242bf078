import { operatorsOf } from '../../access/rights/read-scope.ts';
import type { Clock } from '../../ports.ts';
import type { Writer } from '../api/services/readers.ts';
import { TokenBuckets } from '../base/token-buckets.ts';
import { httpLimits } from '../http/limits.ts';

const bytesOfWrite = 4_096;

/** Administrators of an operator can create more of them: together they may change twice as much as one of them. */
export const sharesOfOperator = 2;

/**
 * Requests of an administrator that change something: so many a second, and five seconds' worth at once. Each 4 KiB of a body count as
 * one more (docs/decisions/0065).
 */
export class AdministratorWrites {
  readonly #users: TokenBuckets;
  readonly #operators: TokenBuckets;

  constructor(clock: Clock, perSecond: number) {
    const limits = {
      burstSeconds: httpLimits.administratorBurstSeconds,
      maxCallers: httpLimits.countedAdministrators,
    };
    this.#users = new TokenBuckets(clock, { ...limits, callers: 'administrator', perSecond });
    this.#operators = new TokenBuckets(clock, {
      ...limits,
      callers: 'administrators of',
      perSecond: perSecond * sharesOfOperator,
    });
  }

  /** @throws PublicError rate_limited */
  take({ subject, owners }: Writer): void {
    this.#users.take(subject);
    // None for the whole system's administrators: only they create more of their kind.
    for (const operator of operatorsOf(owners)) this.#operators.take(operator);
  }

  /** What the body of a request that was taken counts. */
  charge({ subject, owners }: Writer, bodyBytes: number): void {
    const writes = Math.floor(bodyBytes / bytesOfWrite);
    this.#users.charge(subject, writes);
    for (const operator of operatorsOf(owners)) this.#operators.charge(operator, writes);
  }
}
