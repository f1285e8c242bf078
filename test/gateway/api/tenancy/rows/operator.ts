import type { Ids, Row, Rows } from '../row.ts';

const player = { player_id: 'player', player_country: 'DE' };
const contribution = ({ brand }: Ids) => ({
  ...player,
  brand_id: brand,
  token: 'session',
  base_wager: 1,
  currency: 'EUR',
});
const playerV2 = ({ brand }: Ids) => ({ id: 'player', country: 'DE', brand_id: brand });
const targetV2 = ({ instance }: Ids) => ({ type: 'instance', id: instance });
const contributionV2 = (ids: Ids) => ({
  operator_id: ids.operator,
  target: targetV2(ids),
  source: { type: 'gameround', id: 'round' },
  player: { ...playerV2(ids), token: 'session' },
  base_wager: { value: 1, currency: 'EUR' },
});

const winners: Row = {
  may: 'services and players',
  names: ['instance', 'brand'],
  query: ({ brand }) => ({ brand_id: brand }),
};
const winnersV2: Row = {
  may: 'services and players',
  names: ['operator', 'brand', 'instance'],
  body: (ids) => ({ operator_id: ids.operator, target: targetV2(ids), player: playerV2(ids) }),
};

/** The operator's and the player frontend's surface, and what anybody may read. */
export const operator: Rows = {
  'PUT /v1/webhooks/signature': {
    may: 'services',
    names: ['operator', 'brand'],
    body: (ids) => ({ operator_id: ids.operator, brand_id: ids.brand, secret_key: 'a long enough secret' }),
  },
  'POST /v1/jackpot/instances/{instance_id}/contributions': {
    may: 'services',
    names: ['instance', 'brand'],
    body: contribution,
  },
  'POST /v1/jackpot/sources/{source_id}/contributions': {
    may: 'services',
    names: ['source', 'brand'],
    body: (ids) => ({ ...contribution(ids), idempotency_key: ids.fresh }),
  },
  'POST /v2/jackpot/contributions': {
    may: 'services',
    names: ['operator', 'brand', 'instance'],
    body: contributionV2,
  },
  'POST /v2/jackpot/contributions/stream': {
    may: 'services',
    names: ['operator', 'brand', 'instance'],
    isLine: true,
    body: (ids) => ({ ref: 'line', ...contributionV2(ids) }),
  },
  'GET /v1/currencies/{brand_id}': { may: 'services', names: ['brand'] },
  'POST /v1/jackpot/instances/{instance_id}/opt-in': {
    may: 'services and players',
    names: ['instance', 'brand'],
    body: ({ brand }) => ({ ...player, brand_id: brand, opt_in: true }),
  },
  'POST /v2/jackpot/opt-in': {
    may: 'services',
    names: ['operator', 'brand', 'instance'],
    body: (ids) => ({
      operator_id: ids.operator,
      target: targetV2(ids),
      player: playerV2(ids),
      opt_in: true,
    }),
  },
  'GET /v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}': {
    may: 'services',
    names: ['source', 'brand'],
    query: () => ({ player_id: 'player', country_code: 'DE' }),
  },
  'GET /v1/jackpot/instances/{instance_id}/winners': winners,
  'GET /v1/jackpot/instances/{instance_id}/pots/winners': winners,
  'POST /v2/jackpot/winners': winnersV2,
  'POST /v2/jackpot/pots/winners': winnersV2,
  'GET /v1/jackpot/sources': {
    may: 'services',
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },

  'GET /v1/raffles/{instance_id}/tickets': { ...winners, may: 'services' },
  'GET /v1/raffles/{instance_id}/players/{player_id}/tickets': winners,
  'GET /v1/raffles/players/{player_id}/tickets': { ...winners, names: ['brand'] },

  'GET /v1/currencies': { may: 'anyone' },
  'GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}': { may: 'anyone' },
  'GET /v1/jackpot/instances/{instance_id}/ticker': { may: 'anyone' },
  // What is not public is not there, for whomever.
  'GET /v1/public/{operator_id}/{brand_id}/events': { may: 'anyone', own: [404] },
  'GET /v1/public/{operator_id}/{brand_id}/jackpots': { may: 'anyone', own: [404] },
  'GET /v1/fairness/instances/{instance_id}': { may: 'anyone' },
  'GET /v1/fairness/instances/{instance_id}/epochs': { may: 'anyone' },
  'GET /v1/fairness/instances/{instance_id}/epochs/{epoch}': { may: 'anyone' },
  'GET /v1/fairness/instances/{instance_id}/conservation': { may: 'anyone' },
  'GET /v1/openapi.json': { may: 'anyone' },
  'GET /v1/asyncapi.json': { may: 'anyone' },
};
