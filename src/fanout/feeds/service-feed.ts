import { handleEventMessage } from './event-messages.ts';
import type { Feed } from './feed.ts';
import { identifyService } from './identify.ts';
import { onlyValue } from './query.ts';

/** O22, the service event feed: a service JWT of audience `feed` in the query. */
export const serviceFeed: Feed = {
  id: 'O22',
  paths: ['/events/service'],
  listens: 'events',
  checksOrigin: false,
  async admit(ports, { query }) {
    const token = onlyValue(query, 'token');
    const identified = token === null ? null : await identifyService(ports, token);
    if (identified === null) return { kind: 'refused', code: 'feed_token_invalid' };
    if (!identified.scope.enabled()) return { kind: 'refused', code: 'owner_disabled' };
    return { kind: 'admitted', ...identified };
  },
  message: handleEventMessage,
};
