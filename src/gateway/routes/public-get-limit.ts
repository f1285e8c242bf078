import { createAttempts } from '../../access/sessions/attempts.ts';
import type { Clock } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import { httpLimits } from '../http/limits.ts';

/** GETs that need no credential: so many a second for each address. */
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
