import { template } from '../../../support/administration.ts';
import { config, everyRole, finance, type Ids, type Row, type Rows, security } from '../row.ts';

const player = { player_id: 'player', player_country: 'DE' };
const optIn = { may: ['support', 'config'], names: ['instance', 'brand'] } satisfies Row;
const optInBody = ({ brand }: Ids) => ({ ...player, brand_id: brand, opt_in: true });
const winners: Row = {
  may: everyRole,
  names: ['instance', 'brand'],
  query: ({ brand }) => ({ brand_id: brand }),
};
const adjustment: Row = {
  may: finance,
  names: ['instance'],
  body: () => ({ adjustment: '150', reason: 'A test.' }),
};
const byHand = ({ brand, fresh }: Ids) => ({
  ...player,
  brand_id: brand,
  token: fresh,
  base_wager: 1,
  currency: 'EUR',
});
const pots = '/config/instances/{instance_id}/pots';

const unknownSettlement = { id: '00000000-0000-5000-8000-000000000000' };
/** Nobody's: what a found one needs of its caller is in test/gateway/api/operations/admin/settlements. */
const decision: Row = {
  may: finance,
  path: () => unknownSettlement,
  body: () => ({ reason: 'A test.' }),
  own: [404],
};

/** Instances, their pots, opt-ins and model switches. */
export const instances: Rows = {
  'GET /config/instances': {
    may: everyRole,
    names: ['owner', 'instance'],
    query: ({ owner, instance }) => ({ owner_id: owner, ids: instance }),
  },
  'POST /config/templates': {
    may: config,
    names: ['owner'],
    body: ({ owner, fresh }) => template(fresh, { owner_id: owner }),
  },
  'POST /config/instances': {
    may: config,
    names: ['owner', 'templateOwner'],
    body: ({ owner, templateOwner }) => ({
      owner_id: owner,
      template_owner_id: templateOwner,
      template_id: 'three',
      name: 'New',
    }),
  },
  'GET /config/instances/{instance_id}': { may: everyRole, names: ['instance'] },
  'PATCH /config/instances/{instance_id}': {
    may: config,
    names: ['instance'],
    body: () => ({ description: 'Changed.' }),
  },
  'POST /config/instances/{instance_id}/status': {
    may: config,
    names: ['instance', 'otherInstance'],
    body: ({ otherInstance }) => ({ status: 'Completed', reason: 'A test.', to: otherInstance }),
    own: [422],
  },
  'PUT /config/instances/{instance_id}/epochs/{epoch}/beacon': {
    may: security,
    names: ['instance'],
    body: () => ({ beacon: 'ab'.repeat(32), reason: 'A test.' }),
    own: [204, 409, 422],
  },
  'PUT /config/instances/{instance_id}/parameters': {
    may: config,
    names: ['instance'],
    body: () => ({ overrides: {}, reason: 'A test.' }),
  },
  'PUT /config/instances/{instance_id}/links': {
    may: config,
    names: ['instance', 'otherInstance'],
    body: ({ otherInstance }) => ({ instance_ids: [otherInstance] }),
  },
  'PUT /config/instances/{instance_id}/brands/{brand_id}': { may: config, names: ['instance', 'brand'] },
  'DELETE /config/instances/{instance_id}/brands/{brand_id}': {
    may: config,
    names: ['instance', 'brand'],
    prepare: async (_, { otherInstance }) => ({ instance: otherInstance }),
  },
  'GET /config/instances/{instance_id}/winners': winners,
  'GET /config/instances/{instance_id}/pots/winners': winners,
  'GET /config/instances/{instance_id}/opt-ins': { may: everyRole, names: ['instance'] },
  'POST /config/instances/{instance_id}/opt-in': { ...optIn, body: optInBody },
  'POST /config/instances/{instance_id}/opt-in/records': { ...optIn, body: optInBody },
  'GET /config/players/{player_id}/opt-ins': {
    may: everyRole,
    names: ['brand'],
    query: ({ brand }) => ({ brand_id: brand }),
  },
  // A brand's lookups find the sources of its operator, too: the source is not the caller's to have.
  'GET /config/jackpot/source/{source_id}/brand/{brand_id}': { may: everyRole, names: ['brand'] },
  [`PUT ${pots}/{pot_id}/current-value`]: adjustment,
  [`PUT ${pots}/{pot_id}/seed-value`]: adjustment,
  [`PUT ${pots}/{pot_id}/surplus-seed`]: adjustment,
  [`POST ${pots}/{pot_id}/trigger`]: {
    may: finance,
    names: ['instance', 'brand'],
    body: ({ brand, source }) => ({ brand_id: brand, player_id: 'player', source_id: source }),
    own: [200, 422],
  },
  'GET /config/deliveries': {
    may: everyRole,
    names: ['owner', 'brand', 'instance'],
    query: ({ owner, brand, instance }) => ({ owner_id: owner, brand_id: brand, instance_id: instance }),
  },
  'GET /config/deliveries/tries': {
    may: everyRole,
    names: ['owner'],
    query: ({ owner }) => ({ owner_id: owner }),
  },
  'GET /config/deliveries/replays': { may: everyRole },
  'POST /config/deliveries/replay': { may: finance, body: () => ({ from: 0, to: 1 }) },
  'POST /config/deliveries/{id}/replay': { may: finance, path: () => unknownSettlement, own: [404] },
  'POST /config/deliveries/{id}/resolve': {
    ...decision,
    body: () => ({ result: 'confirmed', reason: 'A test.' }),
  },
  'GET /config/settlements': {
    may: everyRole,
    names: ['owner', 'brand', 'instance'],
    query: ({ owner, brand, instance }) => ({ owner_id: owner, brand_id: brand, instance_id: instance }),
  },
  'POST /config/settlements/{id}/release': decision,
  'POST /config/settlements/{id}/retry': decision,
  'POST /config/settlements/{id}/resolve': decision,
  'POST /config/opt-ins/bulk': {
    may: ['support', 'config'],
    names: ['instance', 'brand'],
    batch: true,
    body: ({ instance, brand }) => [
      {
        instance_id: instance,
        brand_id: brand,
        opt_ins: [{ player_id: 'player', currency: 'EUR' }],
        opt_outs: [],
      },
    ],
  },
  'POST /config/instances/{instance_id}/contributions': {
    may: finance,
    names: ['instance', 'brand'],
    body: byHand,
  },
  'POST /config/sources/{source_id}/contributions': { may: finance, names: ['brand'], body: byHand },
  'POST /config/providers/{provider_id}/contributions': {
    may: finance,
    names: ['instance', 'brand'],
    path: () => ({ provider_id: 'provider' }),
    body: (ids) => ({ ...byHand(ids), instance_id: ids.instance, game_code: 'game' }),
  },
  'POST /config/model-switch/preview': {
    may: config,
    names: ['instance', 'templateOwner', 'owner'],
    body: ({ instance, templateOwner, owner }) => ({
      source_instance_id: instance,
      template_owner_id: templateOwner,
      template_id: 'three',
      target_instance_owner_id: owner,
      target_instance_name: 'Next',
      pot_rules: ['gold', 'silver'].map((pot) => ({ source_pot: pot, target_pot: { [pot]: '1' } })),
      transfer_optins: false,
      reason: 'A test.',
      dry_run: true,
    }),
  },
  'DELETE /config/model-switch/execute': {
    may: finance,
    names: ['instance', 'otherInstance'],
    body: ({ instance, otherInstance }) => ({
      source_instance_id: instance,
      target_instance_id: otherInstance,
      reason: 'A test.',
    }),
    own: [422],
  },
  'POST /config/model-switch/execute': {
    may: finance,
    names: ['instance', 'otherInstance'],
    body: ({ instance, otherInstance }, { username }) => ({
      source_instance_id: instance,
      target_instance_id: otherInstance,
      user_id: username,
      pot_rules: [],
      transfer_optins: false,
      reason: 'A test.',
    }),
    own: [422],
  },
};
