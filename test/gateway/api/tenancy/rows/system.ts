import { everyRole, type Row, type Rows, security } from '../row.ts';

/** A proposal that nobody made; those that somebody made are in test/gateway/api/approvals. */
const decision: Row = { may: everyRole, path: () => ({ id: '0'.repeat(32) }), own: [404] };
const pattern = 'https://games.example';
const cors: Row = { may: security, names: ['operator'], services: true };

/** Cross-origin rules, approvals, the audit trail, tickets, other platforms' events. */
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
  'GET /config/approvals': {
    may: everyRole,
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },
  'POST /config/approvals/{id}/approve': decision,
  'POST /config/approvals/{id}/reject': { ...decision, body: () => ({ reason: 'A test.' }) },
  'GET /config/audit': {
    may: ['security', 'auditor'],
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },
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
