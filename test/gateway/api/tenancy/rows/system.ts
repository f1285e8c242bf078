import { everyRole, type Row, type Rows, security } from '../row.ts';

/** A proposal that nobody made; those that somebody made are in test/gateway/api/approvals. */
const decision: Row = { may: everyRole, path: () => ({ id: '0'.repeat(32) }), own: [404] };
const placement: Row = { may: ['operations'], system: true };
const pattern = 'https://games.example';
const cors: Row = { may: security, names: ['operator'], services: true };

const subscriptions = '/v1/webhooks/subscriptions';
const hooks = 'http://127.0.0.1:9';
/** The one that a row has made: an operator has not many. */
let subscription = '00000000-0000-4000-8000-000000000000';
const subscribe: NonNullable<Row['prepare']> = async (world, { operator, fresh }) => {
  await world.call('POST', '/config/webhook-origins', { operator_id: operator, origin: hooks });
  await world.call('DELETE', `${subscriptions}/${subscription}`);
  const body = { operator_id: operator, url: `${hooks}/${fresh}`, event_types: ['WinEvent'] };
  subscription = (await world.call('POST', subscriptions, body)).json.id;
  return {};
};
const subscribed: Row = {
  may: security,
  services: true,
  path: () => ({ id: subscription }),
  prepare: subscribe,
  // An administrator of one brand does not see the operator's.
  own: [200, 204, 404],
};

/** Cross-origin rules, webhook subscriptions, approvals, the audit trail, tickets, other platforms' events. */
export const system: Rows = {
  'GET /v1/cors/origins': { ...cors, query: ({ operator }) => ({ operator_id: operator }) },
  'PUT /v1/cors/origins': {
    ...cors,
    body: ({ operator }) => ({ operator_id: operator, cors_origin_list: [{ pattern, match_mode: 'exact' }] }),
  },
  'DELETE /v1/cors/origins': {
    ...cors,
    body: ({ operator }) => ({ operator_id: operator, cors_origin_list: [pattern] }),
  },
  'GET /v1/webhooks/subscriptions': {
    may: security,
    names: ['operator'],
    services: true,
    query: ({ operator }) => ({ operator_id: operator }),
  },
  'POST /v1/webhooks/subscriptions': {
    may: security,
    names: ['operator'],
    services: true,
    prepare: subscribe,
    body: ({ operator, fresh }) => ({
      operator_id: operator,
      url: `${hooks}/new-${fresh}`,
      event_types: ['WinEvent'],
    }),
  },
  'GET /v1/webhooks/subscriptions/{id}': subscribed,
  'PATCH /v1/webhooks/subscriptions/{id}': { ...subscribed, body: () => ({ event_types: ['PayoutEvent'] }) },
  'DELETE /v1/webhooks/subscriptions/{id}': subscribed,
  'GET /config/approvals': {
    may: everyRole,
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },
  'POST /config/approvals/{id}/approve': decision,
  'POST /config/approvals/{id}/reject': { ...decision, body: () => ({ reason: 'A test.' }) },
  'GET /config/events': { may: everyRole },
  'GET /config/audit': {
    may: ['security', 'auditor'],
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },
  'GET /config/lanes': placement,
  'GET /config/hosts': placement,
  'GET /config/failovers': placement,
  'GET /config/lanes/{lane}/owner': { ...placement, path: () => ({ lane: '1' }) },
  'PUT /config/lanes/{lane}/owner': {
    ...placement,
    path: () => ({ lane: '1' }),
    body: () => ({ host_id: 'host-a' }),
  },
  'DELETE /config/lanes/{lane}/owner': { ...placement, path: () => ({ lane: '1' }) },
  'GET /config/hosts/{host_id}/drain': { ...placement, path: () => ({ host_id: 'host-a' }) },
  'PUT /config/hosts/{host_id}/drain': { ...placement, path: () => ({ host_id: 'host-a' }) },
  'DELETE /config/hosts/{host_id}/drain': { ...placement, path: () => ({ host_id: 'host-a' }) },
  'POST /v1/feed-tickets': {
    may: 'services and players',
    names: ['brand'],
    body: ({ brand }) => ({ brand_id: brand, currency: 'EUR' }),
  },
  'POST /v1/events': {
    may: 'services',
    names: ['brand'],
    body: ({ brand }) => ({ source: 'campaign', event_type: 'started', brand_id: brand, data: {} }),
  },
};
