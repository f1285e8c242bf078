import { operatorsOf } from '../../access/rights/read-scope.ts';
import { createAttempts } from '../../access/sessions/attempts.ts';
import type { Clock } from '../../ports.ts';
import type { Writer } from '../api/services/readers.ts';
import { PublicError } from '../base/errors.ts';
import { TokenBuckets } from '../base/token-buckets.ts';
import { httpLimits } from '../http/limits.ts';

const bytesOfWrite = 4_096;

/** Administrators can create more of their kind: an operator's together may change twice as much. */
export const sharesOfOperator = 2;

/**
 * Limits an administrator's changes a second, five seconds' worth at once. Each 4 KiB of a body count as one
 * more (docs/decisions/0065).
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

  charge({ subject, owners }: Writer, bodyBytes: number): void {
    const writes = Math.floor(bodyBytes / bytesOfWrite);
    this.#users.charge(subject, writes);
    for (const operator of operatorsOf(owners)) this.#operators.charge(operator, writes);
  }
}

/** GETs without a credential that each address may send a second. */
export interface PublicGetLimit {
  /** @throws PublicError rate_limited */
  take(address: string): void;
}

export function createPublicGetLimit(clock: Clock, perSecond: number): PublicGetLimit {
  const requests = createAttempts(clock, {
    max: perSecond,
    windowMs: 1_000,
    names: httpLimits.countedAddresses,
  });
  return {
    take(address) {
      const seconds = requests.blockedSeconds(address);
      if (seconds > 0) {
        throw new PublicError('rate_limited', '', { retryAfterSeconds: seconds, limitedCaller: address });
      }
      requests.count(address);
    },
  };
}
