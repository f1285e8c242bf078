import { serviceScope } from '../scope.ts';
import type { Feed } from './feed.ts';

/** O22, the service event feed: a service JWT of audience `feed` in the query. */
export const serviceFeed: Feed = {
  id: 'O22',
  path: '/events/service',
  async admit({ replica, credentials }, { query }) {
    const tokens = new URLSearchParams(query).getAll('token');
    const [token] = tokens;
    const credential =
      token === undefined || tokens.length > 1 || token === '' ? null : await credentials.verify(token);
    if (credential === null) return { kind: 'refused', code: 'feed_token_invalid' };
    const scope = serviceScope(replica, credential.principal);
    if (!scope.enabled()) return { kind: 'refused', code: 'owner_disabled' };
    return { kind: 'admitted', credential, scope };
  },
  async refresh({ replica, credentials }, current, token) {
    const credential = await credentials.verify(token);
    if (credential === null || credential.principal.operator !== current.principal.operator) return null;
    return { credential, scope: serviceScope(replica, credential.principal) };
  },
};
