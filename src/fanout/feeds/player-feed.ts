import { brandPath, isOwnId, operatorOf } from '../../contracts/identifiers.ts';
import { currencyFault } from '../scope/money.ts';
import { playersScope } from '../scope/scope.ts';
import { takeEventMessage } from './event-messages.ts';
import type { Feed, FeedPorts, Identified, Refused } from './feed.ts';
import { onlyValue } from './query.ts';

/** O21, the player event feed: a player's token, which the brand's wallet vouches for, and the currency to show values in. */
export const playerFeed: Feed = {
  id: 'O21',
  paths: ['/events/:operator_id/:brand_id', '/event/:operator_id/:brand_id'],
  listens: 'events',
  checksOrigin: true,
  async admit(ports, { parameters, query, address }) {
    const token = onlyValue(query, 'token');
    const [operator = '', brand = ''] = parameters.map(decoded);
    const path = pathOf(operator, brand);
    if (token === null || path === null) return { kind: 'refused', code: 'feed_token_invalid' };
    const currency = onlyValue(query, 'currency');
    const identified = await identifyPlayer(ports, { brand: path, currency, token, address });
    return identified.kind === 'refused'
      ? identified
      : { kind: 'admitted', credential: identified.credential, scope: identified.scope };
  },
  message: takeEventMessage,
};

export type PlayerIdentified = ({ readonly kind: 'identified' } & Identified) | Refused;

/** Whose a player's token is. `currency` null: the client named none. */
export async function identifyPlayer(
  { replica, credentials }: Pick<FeedPorts, 'replica' | 'credentials'>,
  asked: {
    readonly brand: string;
    readonly currency: string | null;
    readonly token: string;
    readonly address: string;
  },
): Promise<PlayerIdentified> {
  const { brand, currency, token, address } = asked;
  // A brand without a wallet, or none at all, has no player tokens.
  if (replica.brand(brand)?.wallet !== true) return { kind: 'refused', code: 'feed_token_invalid' };
  if (currency === null) return { kind: 'refused', code: 'invalid_parameter' };
  const fault = currencyFault(replica, brand, currency);
  if (fault !== null) return { kind: 'refused', code: fault };
  const verdict = await credentials.player(brand, currency, token, { kind: 'frontend', address });
  if (verdict.kind === 'refused') return { kind: 'refused', code: 'feed_token_invalid' };
  if (verdict.kind === 'unknown') return { kind: 'refused', code: 'wallet_unavailable' };
  if (verdict.kind === 'busy') return { kind: 'refused', code: 'overloaded' };
  if (verdict.kind === 'limited') {
    const { retryAfterSeconds } = verdict;
    return { kind: 'refused', code: 'too_many_attempts', retryAfterSeconds };
  }
  const scope = playersScope(replica, brand, currency);
  if (!scope.enabled()) return { kind: 'refused', code: 'owner_disabled' };
  return { kind: 'identified', credential: verdict.credential, scope };
}

/** The path of a brand that is given bare or as a path; null where it is none of that operator. */
export function pathOf(operator: string, brand: string): string | null {
  const path = brand.includes(':') ? brand : brandPath(operator, brand);
  const parts = path.split(':');
  return parts.length === 2 && parts.every(isOwnId) && operatorOf(path) === operator ? path : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
