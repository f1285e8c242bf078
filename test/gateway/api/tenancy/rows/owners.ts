import { config, everyRole, finance, type Ids, type Row, type Rows, security } from '../row.ts';

const jackpot = ({ instance, owner }: Ids) => ({ priority: 1, owner_id: owner, instance_id: instance });
const inSegment: Row = {
  may: config,
  names: ['owner', 'instance'],
  body: ({ owner, segment, instance }) => ({ owner_id: owner, segment_id: segment, instance_id: instance }),
};
const inSource: Row = {
  may: config,
  names: ['owner', 'instance'],
  body: ({ owner, source, instance }) => ({ owner_id: owner, source_id: [source], instance_id: instance }),
};
/** Binds the instance that is to be removed. */
function binds(kind: 'segments' | 'sources', to: 'segment' | 'source'): NonNullable<Row['prepare']> {
  return async (world, ids) => {
    const instance = ids.otherInstance;
    const target = to === 'segment' ? ids.segment : [ids.source];
    const body = { owner_id: ids.owner, [`${to}_id`]: target, instance_id: instance };
    await world.call('POST', `/config/${kind}/assign`, body);
    return { instance };
  };
}
const origin = ({ operator, fresh }: Ids) => ({
  operator_id: operator,
  origin: `http://127.0.0.1:${10_000 + Number(fresh.slice('fresh-'.length))}`,
});
const wallet = '/config/operators/{operator_id}/brands/{brand_id}/wallet';

const noSimulation = () => ({ simulation_id: `${'0'.repeat(16)}-${'0'.repeat(32)}` });

/** Operators, brands, segments, sources, templates, rates, wallets, webhook origins. */
export const owners: Rows = {
  'GET /config/operators': { may: everyRole, names: ['owner'], query: ({ owner }) => ({ owner_id: owner }) },
  'POST /config/operators': {
    may: config,
    system: true,
    body: ({ fresh }) => [{ id: fresh, name: 'New' }],
  },
  'GET /config/operators/{operator_id}': { may: everyRole, names: ['operator'] },
  'POST /config/operators/{operator_id}/brands': {
    may: config,
    names: ['operator'],
    body: ({ fresh }) => [{ id: fresh, name: 'New' }],
  },
  'PATCH /config/operators/{operator_id}': {
    may: config,
    names: ['operator'],
    body: () => ({ enabled: true }),
  },
  'PATCH /config/operators/{operator_id}/brands/{brand_id}': {
    may: config,
    names: ['brand'],
    body: () => ({ enabled: true }),
  },

  'GET /config/segments': { may: everyRole, names: ['owner'], query: ({ owner }) => ({ brand_id: owner }) },
  'POST /config/segments': {
    may: config,
    names: ['owner', 'instance'],
    batch: true,
    body: (ids) => [
      {
        owner_id: ids.owner,
        id: ids.fresh,
        priority: 1,
        jackpots: [{ ...jackpot(ids), owner_id: ids.owner }],
      },
    ],
  },
  'DELETE /config/segments': {
    may: config,
    names: ['owner'],
    batch: true,
    body: ({ owner, segment }) => [{ owner_id: owner, segment_id: segment }],
    prepare: async (world, { owner, fresh }) => {
      await world.call('POST', '/config/segments', [{ owner_id: owner, id: fresh, priority: 1 }]);
      return { segment: fresh };
    },
  },
  'POST /config/segments/assign': inSegment,
  'PUT /config/segments/priorities': {
    may: config,
    names: ['owner'],
    body: ({ owner, segment }) => ({ brand_id: owner, segment_id: segment, priorities: {} }),
  },
  'POST /config/segments/remove': { ...inSegment, prepare: binds('segments', 'segment') },

  'GET /config/sources': {
    may: everyRole,
    names: ['owner', 'source'],
    query: ({ owner, source }) => ({ owner_id: owner, source_id: source }),
  },
  'POST /config/sources': {
    may: config,
    names: ['owner', 'instance'],
    batch: true,
    body: (ids) => [
      { owner_id: ids.owner, source_id: ids.fresh, source_name: 'New', jackpots: [jackpot(ids)] },
    ],
  },
  'DELETE /config/sources': {
    may: config,
    names: ['owner'],
    batch: true,
    body: ({ owner, source }) => [{ owner_id: owner, source_id: source }],
    prepare: async (world, { owner, fresh }) => {
      const source = { owner_id: owner, source_id: fresh, source_name: 'New', jackpots: [] };
      await world.call('POST', '/config/sources', [source]);
      return { source: fresh };
    },
  },
  'POST /config/sources/assign': inSource,
  'PUT /config/sources/priorities': {
    may: config,
    names: ['owner'],
    body: ({ owner, source }) => ({ brand_id: owner, segment_id: source, priorities: {} }),
  },
  'POST /config/sources/remove': { ...inSource, prepare: binds('sources', 'source') },

  'GET /config/templates': { may: everyRole, names: ['owner'], query: ({ owner }) => ({ owner_id: owner }) },
  'GET /config/templates/{owner_id}/{template_id}': {
    may: everyRole,
    names: ['templateOwner'],
    path: ({ templateOwner }) => ({ owner_id: templateOwner, template_id: 'three' }),
  },
  'PATCH /config/templates/{owner_id}/{template_id}': {
    may: config,
    names: ['templateOwner'],
    path: ({ templateOwner }) => ({ owner_id: templateOwner, template_id: 'three' }),
    body: () => ({ description: 'Changed.', win_selector_strategy: 'Highest' }),
  },
  'POST /config/templates/{owner_id}/{template_id}/copies': {
    may: config,
    names: ['templateOwner', 'owner'],
    path: ({ templateOwner }) => ({ owner_id: templateOwner, template_id: 'three' }),
    body: ({ owner, fresh }) => ({ owner_id: owner, id: fresh }),
  },

  'POST /config/simulations': {
    may: everyRole,
    names: ['owner'],
    body: ({ owner }) => ({ owner_id: owner, template_id: 'three', contributions: 1 }),
  },
  // Those of each account alone: test/gateway/api/operations/admin/simulations.
  'GET /config/simulations/{simulation_id}': { may: everyRole, path: noSimulation, own: [404] },
  'DELETE /config/simulations/{simulation_id}': { may: everyRole, path: noSimulation, own: [404] },

  'GET /config/currencies': { may: everyRole },
  'PUT /config/currencies': {
    may: finance,
    system: true,
    body: () => ({ base_currency: 'EUR', multipliers: { USD: '1.08' } }),
  },
  'PUT /config/currencies/{brand_id}': {
    may: finance,
    names: ['brand'],
    body: () => ({ multipliers: { USD: '1.08' } }),
  },
  [`GET ${wallet}`]: { may: everyRole, names: ['brand'] },
  [`PUT ${wallet}`]: {
    may: security,
    names: ['brand'],
    body: () => ({
      base_url: 'http://127.0.0.1:9',
      bearer_key: 'key',
      hmac_secret: 'a long enough secret',
      provider_id: 'potstream',
    }),
  },
  [`PUT ${wallet}/certificate`]: {
    may: security,
    names: ['brand'],
    body: () => ({
      ...{ base_url: 'http://127.0.0.1:9', verified_timestamp: 0, version: '1', passed: 1 },
      ...{ failed: [], skipped: [] },
    }),
  },
  'POST /config/forgotten-players': {
    may: security,
    names: ['brand'],
    body: ({ brand, fresh }) => ({ brand_id: brand, player_id: fresh, reason: 'asked for it' }),
  },
  'GET /config/webhook-origins': {
    may: everyRole,
    names: ['operator'],
    query: ({ operator }) => ({ operator_id: operator }),
  },
  'POST /config/webhook-origins': { may: security, names: ['operator'], body: origin, own: [201] },
  'DELETE /config/webhook-origins': { may: security, names: ['operator'], body: origin },
};
