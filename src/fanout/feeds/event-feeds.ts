import { parseClientMessage } from '../../contracts/feeds/feed.ts';
import { brandPath, isOwnId, operatorOf } from '../../contracts/fields/identifiers.ts';
import type { CloseReason, Connection } from '../connections/connection.ts';
import { interestOf } from '../scope/interest.ts';
import type { Feed, FeedPorts } from './feed.ts';
import { identifyPlayer, identifyService, identifyTicket, refusedWith, renewToken } from './identify.ts';
import { decoded, isAlone, onlyValue } from './query.ts';

/** O21, the player event feed: takes a ticket, or a player's token and the currency to show values in. */
export const playerFeed: Feed = {
  id: 'O21',
  paths: ['/events/:operator_id/:brand_id', '/event/:operator_id/:brand_id'],
  listens: 'events',
  checksOrigin: true,
  async admit(ports, { parameters, query, address }) {
    const [operator = '', brand = ''] = parameters.map((part) => decoded(part) ?? '');
    const path = feedBrandPath(operator, brand);
    const ticket = onlyValue(query, 'ticket');
    if (ticket !== null && path !== null && isAlone(query))
      return identifyTicket(ports, { brand: path, ticket, address });
    const token = onlyValue(query, 'token');
    if (ticket !== null || token === null || path === null) return refusedWith('feed_token_invalid');
    return identifyPlayer(ports, { brand: path, currency: onlyValue(query, 'currency'), token, address });
  },
  message: handleMessage,
};

/** O22, the service event feed: a service JWT of audience `feed` in the query. */
export const serviceFeed: Feed = {
  id: 'O22',
  paths: ['/events/service'],
  listens: 'events',
  checksOrigin: false,
  async admit(ports, { query }) {
    const token = onlyValue(query, 'token');
    return token === null ? refusedWith('feed_token_invalid') : identifyService(ports, token);
  },
  message: handleMessage,
};

/** The path of a brand that is given bare or as a path; null where it is none of that operator. */
export function feedBrandPath(operator: string, brand: string): string | null {
  const path = brand.includes(':') ? brand : brandPath(operator, brand);
  const parts = path.split(':');
  return parts.length === 2 && parts.every(isOwnId) && operatorOf(path) === operator ? path : null;
}

/** What a client of O21 and O22 may say. */
function handleMessage(ports: FeedPorts, connection: Connection, text: string): CloseReason | null {
  const message = parseClientMessage(text);
  if (message === null) return 'bad_message';
  if ('SubscribeRequest' in message) {
    const interest = interestOf(message.SubscribeRequest.events, connection.instances);
    if (interest === null) return 'bad_message';
    ports.hub.subscribe(connection, interest);
  } else if ('UnsubscribeRequest' in message) ports.hub.unsubscribe(connection);
  else renewToken(ports, connection, message.RefreshTokenRequest.token);
  return null;
}
