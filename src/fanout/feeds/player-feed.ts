import { brandPath, isOwnId, operatorOf } from '../../contracts/fields/identifiers.ts';
import { handleEventMessage } from './event-messages.ts';
import type { Feed } from './feed.ts';
import { identifyPlayer } from './identify.ts';
import { onlyValue } from './query.ts';

/** O21, the player event feed: a player's token, which the brand's wallet authenticates, and the currency to show values in. */
export const playerFeed: Feed = {
  id: 'O21',
  paths: ['/events/:operator_id/:brand_id', '/event/:operator_id/:brand_id'],
  listens: 'events',
  checksOrigin: true,
  async admit(ports, { parameters, query, address }) {
    const token = onlyValue(query, 'token');
    const [operator = '', brand = ''] = parameters.map(decoded);
    const path = feedBrandPath(operator, brand);
    if (token === null || path === null) return { kind: 'refused', code: 'feed_token_invalid' };
    const currency = onlyValue(query, 'currency');
    const identified = await identifyPlayer(ports, { brand: path, currency, token, address });
    return identified.kind === 'refused'
      ? identified
      : { kind: 'admitted', credential: identified.credential, scope: identified.scope };
  },
  message: handleEventMessage,
};

/** The path of a brand that is given bare or as a path; null where it is none of that operator. */
export function feedBrandPath(operator: string, brand: string): string | null {
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
