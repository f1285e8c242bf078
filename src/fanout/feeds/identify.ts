import { currencyFault } from '../scope/money.ts';
import { playersScope, serviceScope } from '../scope/scope.ts';
import type { FeedPorts, Identified, Refused } from './feed.ts';

export type PlayerIdentified = ({ readonly kind: 'identified' } & Identified) | Refused;

/** Whose a player's token is. `currency` null: the client named none. */
export async function identifyPlayer(
  { readModel, credentials }: Pick<FeedPorts, 'readModel' | 'credentials'>,
  asked: {
    readonly brand: string;
    readonly currency: string | null;
    readonly token: string;
    readonly address: string;
  },
): Promise<PlayerIdentified> {
  const { brand, currency, token, address } = asked;
  // A brand without a wallet, or none at all, has no player tokens.
  if (readModel.brand(brand)?.wallet !== true) return { kind: 'refused', code: 'feed_token_invalid' };
  if (currency === null) return { kind: 'refused', code: 'invalid_parameter' };
  const fault = currencyFault(readModel, brand, currency);
  if (fault !== null) return { kind: 'refused', code: fault };
  const verdict = await credentials.player(brand, currency, token, { kind: 'frontend', address });
  if (verdict.kind === 'refused') return { kind: 'refused', code: 'feed_token_invalid' };
  if (verdict.kind === 'unknown') return { kind: 'refused', code: 'wallet_unavailable' };
  if (verdict.kind === 'busy') return { kind: 'refused', code: 'overloaded' };
  if (verdict.kind === 'limited') {
    const { retryAfterSeconds } = verdict;
    return { kind: 'refused', code: 'too_many_attempts', retryAfterSeconds };
  }
  const scope = playersScope(readModel, brand, currency);
  if (!scope.enabled()) return { kind: 'refused', code: 'owner_disabled' };
  return { kind: 'identified', credential: verdict.credential, scope };
}

/** Whose a service's token is. null: it does not hold. */
export async function identifyService(
  { credentials, readModel }: Pick<FeedPorts, 'credentials' | 'readModel'>,
  token: string,
): Promise<Identified | null> {
  const credential = await credentials.service(token);
  return credential === null ? null : { credential, scope: serviceScope(readModel, credential.principal) };
}
