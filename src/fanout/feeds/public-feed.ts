import { parseClientMessage } from '../../contracts/feeds/feed.ts';
import { hasPublicFeed } from '../../directory/public-view.ts';
import { currencyFault } from '../../directory/shown-money.ts';
import { publicCredential } from '../connections/credentials.ts';
import { interestOf } from '../scope/interest.ts';
import { publicScope } from '../scope/scope.ts';
import { feedBrandPath } from './event-feeds.ts';
import type { Feed } from './feed.ts';
import { refusedWith } from './identify.ts';
import { decoded, onlyValue } from './query.ts';

/** What a brand shows to everybody (docs/rules/feeds.md "Public feed"). */
export const publicFeed: Feed = {
  id: 'public',
  paths: ['/v1/public/:operator_id/:brand_id/events'],
  listens: 'events',
  checksOrigin: false,
  isPublic: true,
  async admit({ readModel, sockets }, { parameters, query, address }) {
    const tooMany = sockets.public.handshakeRefusal(address);
    if (tooMany !== null) return { kind: 'refused', ...tooMany };
    const [operator = '', name = ''] = parameters.map((part) => decoded(part) ?? '');
    const brand = feedBrandPath(operator, name);
    if (brand === null || !hasPublicFeed(readModel, brand)) return refusedWith('brand_not_found');
    const currency = onlyValue(query, 'currency');
    const fault = currency === null ? null : currencyFault(readModel, brand, currency);
    if (fault !== null) return refusedWith(fault);
    if (currency === null && query !== '') return refusedWith('invalid_parameter');
    const scope = publicScope(readModel, brand, currency);
    const refusal = sockets.public.refusal(address, scope);
    if (refusal !== null) return { kind: 'refused', ...refusal };
    return { kind: 'admitted', credential: publicCredential, scope };
  },
  message({ hub }, connection, text) {
    const message = parseClientMessage(text);
    if (message === null || 'RefreshTokenRequest' in message) return 'bad_message';
    if ('UnsubscribeRequest' in message) {
      hub.unsubscribe(connection);
      return null;
    }
    const interest = interestOf(message.SubscribeRequest.events);
    if (interest === null) return 'bad_message';
    hub.subscribe(connection, interest);
    return null;
  },
};
