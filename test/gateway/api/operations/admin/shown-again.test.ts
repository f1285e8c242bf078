import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { definitionOf, isSecret } from '../../../../../src/contracts/fields/secrets.ts';
import { operations } from '../../../../../src/gateway/api/operations/index.ts';
import {
  createInstance,
  furnish,
  goldPot,
  newInstance,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';

/** What a POST, PUT or PATCH of a resource takes, a GET shows. Every administrative operation with a body is in one of the two lists. */

type Members = Readonly<Record<string, unknown>>;

interface Resource {
  /** Path inputs of the request. */
  readonly path?: Readonly<Record<string, string>>;
  /** With every member of the shape. */
  readonly body: Members;
  /** The path of the GET. */
  readonly get: string;
  /** The resource in its answer, where that is not all of it. */
  readonly at?: (json: never) => unknown;
  /** How it shows the members, where not under their names and as they were sent. Others of null have the reason in `notShown`. */
  readonly shows?: Members;
  readonly notShown?: Readonly<Record<string, string>>;
  readonly isBatch?: true;
  readonly prepare?: () => Promise<unknown>;
}

const inPath = 'repeats the path';
const everybody = { public_winners: true, public_feed: true };
const recorded = 'is of the change, and in the audit trail';
const password = 'a long password';
let world: World;
let instance = '';
let other = '';
let pending = '';
let subscription = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  await world.call('POST', '/config/operators', [{ id: 'shown', name: 'Shown' }]);
  await world.call('POST', '/config/operators/shown/brands', [{ id: 'one', name: 'One' }]);
  instance = await createInstance(world, { group: 'acme' });
  other = await createInstance(world, { group: 'acme' });
  pending = await createInstance(world);
  const active = { status: 'Active', reason: 'begin' };
  await world.call('POST', `/config/instances/${instance}/status`, active);
  await world.access.createAdministrator({ username: 'ada', password, roles: ['viewer'], owners: ['acme'] });
  await world.serviceUser('till', 'acme');
  await world.call('POST', '/config/templates', template('changed', { pots: [goldPot] }));
  await world.call('POST', '/config/segments', [{ owner_id: 'acme', id: 'vips', priority: 1 }]);
  const origin = { operator_id: 'shown', origin: 'https://hooks.example.com' };
  await world.call('POST', '/config/webhook-origins', origin);
  const subscribed = { operator_id: 'shown', url: 'https://hooks.example.com/', event_types: ['WinEvent'] };
  subscription = (await world.call('POST', '/v1/webhooks/subscriptions', subscribed)).json.id;
});
afterAll(() => world.stop());

/** Registered already where the origin's own row came before. */
const registerHooks = () =>
  world.call('POST', '/config/webhook-origins', {
    operator_id: 'acme',
    origin: 'https://hooks.example.com',
  });

type Item = Readonly<Record<string, never>>;
const listed = (name: string, id: () => string) => (json: never) =>
  (json as readonly Item[]).find((item) => (item[name] as unknown) === id());
const brandAt = (id: string) => (json: never) =>
  (json as { brands: Item[] }).brands.find((brand) => brand.id === id);
const potAt = (json: never) => (json as { pots: Item[] }).pots.find(({ id }) => id === 'gold');
const jackpots = (members: object) => ({
  jackpots: [expect.objectContaining({ instance_id: instance, ...members })],
});
const adjusted = (account: string, member: string): Record<string, () => Resource> => ({
  [`PUT /config/instances/{instance_id}/pots/{pot_id}/${account}`]: () => ({
    path: { instance_id: instance, pot_id: 'gold' },
    body: { instance_id: instance, pot_id: 'gold', adjustment: '321.5', reason: 'why' },
    get: `/config/instances/${instance}`,
    at: potAt,
    shows: { [member]: 321.5 },
    notShown: { instance_id: inPath, pot_id: inPath, adjustment: '', reason: recorded },
  }),
});
const optIn = (path: string, player: string): Record<string, () => Resource> => ({
  [path]: () => ({
    path: { instance_id: instance },
    body: {
      instance_id: instance,
      player_id: player,
      brand_id: 'acme:main',
      player_country: 'DE',
      opt_in: true,
      contribution_value: '2.5',
      contribution_currency: 'EUR',
    },
    get: `/config/instances/${instance}/opt-ins`,
    at: listed('ext_player_id', () => player),
    shows: {
      player_id: `acme:main:${player}`,
      player_brand_id: 'acme:main',
      opted_in: true,
      preferred_contribution_value: 2.5,
      preferred_contribution_currency: 'EUR',
    },
    notShown: {
      brand_id: '',
      opt_in: '',
      contribution_value: '',
      contribution_currency: '',
      player_country: 'only decides whether the player may',
    },
  }),
});

const resources: Readonly<Record<string, () => Resource>> = {
  'POST /config/operators': () => ({
    body: { id: 'fresh', name: 'Fresh' },
    isBatch: true,
    get: '/config/operators/fresh',
  }),
  'POST /config/operators/{operator_id}/brands': () => ({
    path: { operator_id: 'acme' },
    body: { id: 'fresh', name: 'Fresh' },
    isBatch: true,
    get: '/config/operators/acme',
    at: brandAt('fresh'),
  }),
  'PATCH /config/operators/{operator_id}/brands/{brand_id}': () => ({
    path: { operator_id: 'shown', brand_id: 'one' },
    body: { operator_id: 'shown', brand_id: 'one', name: 'Another', enabled: false, ...everybody },
    get: '/config/operators/shown',
    at: brandAt('one'),
    notShown: { operator_id: inPath, brand_id: inPath },
  }),
  'PUT /config/operators/{operator_id}/brands/{brand_id}/wallet': () => ({
    path: { operator_id: 'acme', brand_id: 'main' },
    body: {
      operator_id: 'acme',
      brand_id: 'main',
      base_url: 'https://wallet.example.com',
      bearer_key: 'a-bearer-key-of-the-wallet',
      hmac_secret: 'a secret that signs the calls',
      provider_id: 'provider',
      close_rounds: true,
      batch_debits: false,
      verification_limit: '750.5',
    },
    get: '/config/operators/acme/brands/main/wallet',
    notShown: { operator_id: inPath, brand_id: inPath },
  }),
  'PUT /config/operators/{operator_id}/brands/{brand_id}/wallet/certificate': () => ({
    path: { operator_id: 'acme', brand_id: 'main' },
    body: {
      operator_id: 'acme',
      brand_id: 'main',
      base_url: 'https://wallet.example.com/tested',
      verified_timestamp: 1_700_000_000_000,
      version: '1.2.3',
      passed: 58,
      failed: ['w2.unknown'],
      skipped: ['w1.token-expired'],
    },
    get: '/config/operators/acme/brands/main/wallet',
    at: ({ certificate }: { certificate: Members }) => certificate,
    notShown: { operator_id: inPath, brand_id: inPath },
    prepare: () =>
      world.call('PUT', '/config/operators/acme/brands/main/wallet', {
        base_url: 'https://wallet.example.com',
        bearer_key: 'a-bearer-key-of-the-wallet',
        hmac_secret: 'a secret that signs the calls',
        provider_id: 'provider',
      }),
  }),
  'PUT /config/operators/{operator_id}/identity-provider': () => ({
    path: { operator_id: 'acme' },
    body: { issuer: 'https://id.example', client_id: 'potstream', client_secret: 'a secret' },
    get: '/config/operators/acme/identity-provider',
  }),
  'PUT /config/users/{username}/identity': () => ({
    path: { username: 'ada' },
    body: { issuer: 'https://id.example', subject: 'ada of acme' },
    get: '/config/users/ada',
    at: ({ identity }: { identity: Members }) => identity,
  }),
  'POST /config/webhook-origins': () => ({
    body: { operator_id: 'acme', origin: 'https://hooks.example.com' },
    get: '/config/webhook-origins',
    at: listed('origin', () => 'https://hooks.example.com'),
  }),
  'POST /v1/webhooks/subscriptions': () => ({
    body: {
      operator_id: 'acme',
      brand_ids: ['acme:main'],
      url: 'https://hooks.example.com/events',
      event_types: ['WinEvent', 'OptInEvent'],
    },
    get: '/v1/webhooks/subscriptions?operator_id=acme',
    at: listed('url', () => 'https://hooks.example.com/events'),
    prepare: registerHooks,
  }),
  'PATCH /v1/webhooks/subscriptions/{id}': () => ({
    path: { id: subscription },
    body: { url: 'https://hooks.example.com/changed', event_types: ['PayoutEvent'] },
    get: `/v1/webhooks/subscriptions/${subscription}`,
  }),
  'PUT /v1/cors/origins': () => ({
    body: {
      operator_id: 'acme',
      cors_origin_list: [{ pattern: 'https://shop.example', match_mode: 'exact' }],
    },
    get: '/v1/cors/origins?operator_id=acme',
    notShown: { operator_id: 'is in the query' },
  }),
  'PUT /config/currencies': () => ({
    body: { base_currency: 'EUR', multipliers: { USD: '1.08', GEM: '25' }, exponents: { GEM: 0 } },
    get: '/config/currencies',
    at: listed('brand_id', () => 'rival:main'),
  }),
  'PUT /config/currencies/{brand_id}': () => ({
    path: { brand_id: 'acme:vip' },
    body: { brand_id: 'acme:vip', multipliers: { USD: '1.09', ORE: '3.5' }, exponents: { ORE: 4 } },
    get: '/config/currencies',
    at: listed('brand_id', () => 'acme:vip'),
  }),
  'POST /config/users': () => ({
    body: { username: 'new', password, roles: ['viewer', 'finance'], owners: ['acme', 'rival:main'] },
    get: '/config/users/new',
  }),
  'PATCH /config/users/{username}': () => ({
    path: { username: 'ada' },
    body: { password: 'another long password', roles: ['finance'], owners: ['acme:main'], enabled: false },
    get: '/config/users/ada',
  }),
  'POST /config/service-users': () => ({
    body: { username: 'new', password, operator_id: 'acme', brands: ['acme:main'], rights: ['cors'] },
    get: '/config/service-users/new',
  }),
  'PATCH /config/service-users/{username}': () => ({
    path: { username: 'till' },
    body: { password: 'another long password', brands: ['acme:vip'], rights: ['cors'], enabled: false },
    get: '/config/service-users/till',
  }),
  'POST /config/service-users/{username}/keys': () => ({
    path: { username: 'till' },
    body: { secret: 'a secret that signs requests' },
    get: '/config/service-users/till',
    shows: { key_ids: [expect.any(String)] },
  }),
  'POST /config/segments': () => ({
    body: {
      owner_id: 'acme',
      id: 'fresh',
      name: 'Fresh',
      priority: 9,
      jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }],
    },
    isBatch: true,
    get: '/config/segments',
    at: listed('id', () => 'fresh'),
  }),
  'POST /config/segments/assign': () => ({
    body: { owner_id: 'acme', segment_id: 'vips', instance_id: instance },
    get: '/config/segments',
    at: listed('id', () => 'vips'),
    shows: jackpots({}),
    notShown: { segment_id: 'is the id', instance_id: '' },
  }),
  'PUT /config/segments/priorities': () => ({
    body: { brand_id: 'acme', segment_id: 'vips', priorities: { [instance]: 6 } },
    get: '/config/segments',
    at: listed('id', () => 'vips'),
    shows: jackpots({ priority: 6 }),
    notShown: { brand_id: 'is the owner', segment_id: 'is the id', priorities: '' },
  }),
  'POST /config/sources': () => ({
    body: {
      owner_id: 'acme',
      source_id: 'fresh',
      source_name: 'Fresh',
      jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }],
    },
    isBatch: true,
    get: '/config/sources',
    at: listed('source_id', () => 'fresh'),
  }),
  'POST /config/sources/assign': () => ({
    body: { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance },
    get: '/config/sources?owner_id=acme',
    at: listed('source_id', () => 'slot-1'),
    shows: jackpots({}),
    notShown: { source_id: 'is the id', instance_id: '' },
  }),
  'PUT /config/sources/priorities': () => ({
    body: { brand_id: 'acme', segment_id: 'slot-1', priorities: { [instance]: 8 } },
    get: '/config/sources?owner_id=acme',
    at: listed('source_id', () => 'slot-1'),
    shows: jackpots({ priority: 8 }),
    notShown: { brand_id: 'is the owner', segment_id: 'is the id', priorities: '' },
  }),
  'POST /config/templates': () => ({
    body: {
      ...template('fresh'),
      ...{ retired: true, version: 1 },
      house_pot: { contribution_type: { Percentage: 0.3 } },
      raffle_rules: null,
      win_selector_strategy: 'Highest',
      max_instantiation_count: 12,
      draw_beacon: 'Required',
      pots: [{ ...goldPot, contribution: { Percentage: 0.45 } }],
    },
    get: '/config/templates/acme/fresh',
    notShown: { raffle_rules: 'is of raffles' },
  }),
  'PATCH /config/templates/{owner_id}/{template_id}': () => ({
    path: { owner_id: 'acme', template_id: 'changed' },
    body: {
      jackpot_type: 'Jackpot',
      name: 'Another name',
      description: 'Another text.',
      retired: true,
      currency: 'USD',
      contribution_rules: { contribution_type: { Percentage: 0.2 } },
      house_pot: { contribution_type: { Percentage: 0.3 } },
      raffle_rules: null,
      win_selector_strategy: 'Highest',
      max_instantiation_count: 12,
      draw_beacon: 'Required',
      pots: [{ ...goldPot, contribution: { Percentage: 0.45 } }],
    },
    get: '/config/templates/acme/changed',
    notShown: { raffle_rules: 'is of raffles' },
  }),
  'POST /config/templates/{owner_id}/{template_id}/copies': () => ({
    path: { owner_id: 'acme', template_id: 'three' },
    body: { owner_id: 'acme:vip', id: 'copied', name: 'A copy' },
    get: '/config/templates/acme:vip/copied',
  }),
  'POST /config/instances': () => ({
    body: {
      ...newInstance({ name: 'Named', description: 'Described.', game_code: 'code', group: 'acme:vip' }),
      timestamp_start: 4_000_000_000_000,
      timestamp_end: 5_000_000_000_000,
      overrides: { win_selector_strategy: 'Highest', max_instantiation_count: 3 },
    },
    get: '/config/instances?name=Named',
    at: listed('name', () => 'Named'),
    shows: { win_selector_strategy: 'Highest', max_instantiation_count: 3 },
    notShown: { overrides: '' },
  }),
  'PATCH /config/instances/{instance_id}': () => ({
    path: { instance_id: other },
    body: { instance_id: other, name: 'Renamed', description: 'Described again.' },
    get: `/config/instances/${other}`,
    notShown: { instance_id: inPath },
  }),
  'PUT /config/instances/{instance_id}/parameters': () => ({
    path: { instance_id: pending },
    body: { instance_id: pending, overrides: { win_selector_strategy: 'Highest' }, reason: 'why' },
    get: `/config/instances/${pending}`,
    shows: { win_selector_strategy: 'Highest' },
    notShown: { instance_id: inPath, overrides: '', reason: recorded },
  }),
  'PUT /config/instances/{instance_id}/links': () => ({
    path: { instance_id: instance },
    body: { instance_id: instance, instance_ids: [other] },
    get: `/config/instances/${instance}`,
    shows: { links: [other] },
    notShown: { instance_id: inPath, instance_ids: '' },
  }),
  'PUT /config/instances/{instance_id}/brands/{brand_id}': () => ({
    path: { instance_id: instance, brand_id: 'rival:main' },
    body: { instance_id: instance, brand_id: 'rival:main' },
    get: `/config/instances/${instance}`,
    shows: {
      contribution_rules: expect.objectContaining({ allowed_brands: expect.arrayContaining(['rival:main']) }),
    },
    notShown: { instance_id: inPath, brand_id: '' },
  }),
  'PUT /config/lanes/{lane}/owner': () => ({
    path: { lane: '1' },
    body: { host_id: 'host-a', reason: 'why' },
    get: '/config/lanes',
    at: (lanes: readonly Members[]) => lanes[1]!,
    shows: { pinned_to: 'host-a', owner: 'host-a' },
    notShown: { host_id: '', reason: recorded },
  }),
  'POST /config/instances/{instance_id}/status': () => ({
    path: { instance_id: other },
    body: { instance_id: other, status: 'Cancelled', reason: 'why', to: null },
    get: `/config/instances/${other}`,
    notShown: { instance_id: inPath, reason: recorded, to: recorded },
  }),
  ...adjusted('current-value', 'current_value'),
  ...adjusted('seed-value', 'seed_value'),
  ...adjusted('surplus-seed', 'surplus_seed'),
  ...optIn('POST /config/instances/{instance_id}/opt-in', 'player-1'),
  ...optIn('POST /config/instances/{instance_id}/opt-in/records', 'player-2'),
  'POST /config/opt-ins/bulk': () => ({
    body: {
      instance_id: instance,
      brand_id: 'acme:main',
      opt_ins: [{ player_id: 'player-3', currency: 'EUR' }],
      opt_outs: [{ player_id: 'player-4', currency: 'EUR' }],
    },
    isBatch: true,
    get: `/config/instances/${instance}/opt-ins?opted_in=true`,
    at: listed('ext_player_id', () => 'player-3'),
    shows: { instance_id: instance, player_brand_id: 'acme:main', opted_in: true },
    notShown: { brand_id: '', opt_ins: '', opt_outs: 'is shown with opted_in=false' },
  }),
  // The last: from then on changes of others would wait for a second person.
  'PATCH /config/operators/{operator_id}': () => ({
    path: { operator_id: 'shown' },
    body: {
      operator_id: 'shown',
      name: 'Another name',
      enabled: false,
      ...everybody,
      fairness: 'signed_in',
      four_eyes: { enabled: true, limit: '12.5' },
      requires_second_factor: true,
      quota: { contributions_per_second: 7, bytes_per_second: 2048 },
    },
    get: '/config/operators/shown',
    notShown: { operator_id: inPath },
  }),
};

/** They do something once, and change no members of a resource. */
const acts: Readonly<Record<string, string>> = {
  'POST /config/simulations': 'plays, and changes nothing',
  'POST /config/forgotten-players': 'what is to be forgotten is not shown',
  'POST /config/segments/remove': 'what is removed is not shown',
  'POST /config/sources/remove': 'what is removed is not shown',
  'POST /config/model-switch/preview': 'answers with what it plans or creates',
  'POST /config/model-switch/execute': 'moves money once',
  'POST /config/instances/{instance_id}/pots/{pot_id}/trigger': 'awards a pot once',
  'POST /config/instances/{instance_id}/contributions': 'contributes once',
  'POST /config/sources/{source_id}/contributions': 'contributes once',
  'POST /config/providers/{provider_id}/contributions': 'contributes once',
  'PUT /config/instances/{instance_id}/epochs/{epoch}/beacon':
    'is a part of the epoch, and published with it',
  'POST /config/deliveries/replay': 'delivers again',
  'POST /config/deliveries/{id}/resolve': 'decides once',
  'POST /config/settlements/{id}/release': 'decides once',
  'POST /config/settlements/{id}/retry': 'decides once',
  'POST /config/settlements/{id}/resolve': 'decides once',
  'POST /config/approvals/{id}/approve': 'decides once',
  'POST /config/approvals/{id}/reject': 'decides once',
  'POST /auth/admin': 'logs in',
  'POST /auth/admin/session': 'logs in',
  'PUT /auth/admin/password': 'takes secrets only',
  'POST /auth/admin/step-up': 'takes a secret only',
  'POST /auth/admin/second-factor': 'takes secrets only',
  'PUT /auth/admin/second-factor': 'takes secrets only',
};

/** Those of administrators below /config that are below /v1 too are the same operations. */
const taking = operations.filter(
  ({ id, surface, method, input }) =>
    surface === 'admin' &&
    !id.startsWith('config.') &&
    method !== 'GET' &&
    method !== 'DELETE' &&
    input.body !== undefined,
);

it('every administrative operation with a body is of a resource, or an act', () => {
  const known = [...Object.keys(resources), ...Object.keys(acts)];
  expect(taking.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(known.toSorted());
});

describe('what is taken is shown', () => {
  it.each(Object.entries(resources))('%s', async (route, resource) => {
    const {
      path = {},
      body,
      get,
      at = (json: never) => json,
      shows = {},
      notShown = {},
      isBatch,
      prepare,
    } = resource();
    await prepare?.();
    const [method = '', template = ''] = route.split(' ');
    const members = membersOf(taking.find((each) => `${each.method} ${each.path}` === route)!.input.body!);
    expect(Object.keys(body).toSorted(), 'the test sends every member').toEqual(
      Object.keys(members).toSorted(),
    );
    const to = template.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const answer = await world.call(method, to, isBatch ? [body] : body);
    expect([200, 201, 204], answer.text).toContain(answer.status);
    const { status, json, text } = await world.call('GET', get);
    expect(status).toBe(200);
    const expected = Object.entries(body).filter(
      ([name]) => notShown[name] === undefined && !isSecret(members[name]!),
    );
    const shown = (await at(json as never)) as Members;
    expect(asNumbers(shown)).toMatchObject({
      ...(asNumbers(Object.fromEntries(expected)) as Members),
      ...shows,
    });
    for (const [name, shape] of Object.entries(members))
      if (isSecret(shape)) expect(text).not.toContain(body[name]);
  });
});

/** Of an object, or of the items of a batch. */
function membersOf(shape: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape: members, element, innerType } = definitionOf(shape);
  return members ?? membersOf((element ?? innerType)!);
}

/** Amounts are sent as texts and shown as numbers. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asNumbers(member)]));
}
