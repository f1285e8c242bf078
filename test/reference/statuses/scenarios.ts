import { request } from 'node:http';
import { createTicketLimit } from '../../../src/gateway/api/services/feed-tickets.ts';
import { createPlatformEvents } from '../../../src/gateway/api/services/platform-events.ts';
import { eventStreamLimits } from '../../../src/gateway/event-stream/limits.ts';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { FeedWorld, until } from '../../fanout/feed-world.ts';
import type { Credential } from '../../gateway/api/tenancy/world.ts';
import { StreamClient } from '../../gateway/stream/stream-client.ts';
import { createInstance, startWorld, workOn } from '../../gateway/support/administration.ts';
import { makeAdministrator } from '../../support/accounts.ts';
import { totp } from '../../support/totp.ts';
import { type Asking, operationOf } from './asking.ts';
import { besides } from './servers.ts';
import {
  allContributions,
  beyondDoubles,
  type Changes,
  call,
  keyed,
  long,
  type Witness,
} from './witnesses.ts';

const instanceOf = '/config/instances/{instance_id}';
const pots = `${instanceOf}/pots/{pot_id}`;
const password = 'a long password';

/** Contributions under a key whose first use waits for its debit, and more of them than the quota has room for. */
export async function contribute(asking: Asking): Promise<void> {
  const { context } = asking.world;
  const { lanes } = context;
  const readBack: typeof lanes.readBack = async (...place) => ({
    ...(await lanes.readBack(...place)),
    outcome: { kind: 'Pending' },
  });
  const waiting = { context: { ...context, lanes: { ...lanes, readBack } } };
  await besides(asking.world, waiting, ({ port }) =>
    call(
      asking,
      allContributions.map((route): Witness => [route, 409, [keyed(route), keyed(route)]]),
      port,
    ),
  );
  const none = { quota: { contributions_per_second: 1 } };
  await asking.world.call('PATCH', '/config/operators/acme', none);
  const ofServices = allContributions.filter((route) => !route.includes('/config/'));
  await call(
    asking,
    ofServices.map((route): Witness => [route, 429, [{}, {}, {}]]),
  );
  await asking.world.call('PATCH', '/config/operators/acme', { quota: null });
}

/** Players whose token is not theirs, not valid, or asked about too often; events beyond their rate. */
export async function refusePlayers(asking: Asking): Promise<void> {
  const { players, player, context } = asking.world;
  const answer = players.answer;
  const lookup = 'GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}';
  await call(asking, [[lookup, 403, { caller: player, query: { player_id: 'another' } }]]);
  players.forget();
  players.answer = () => ({ kind: 'refused' });
  await call(asking, [[lookup, 401, { caller: player }]]);
  players.answer = () => ({ kind: 'limited', retryAfterSeconds: 1 });
  await call(asking, [['POST /v1/jackpot/instances/{instance_id}/opt-in', 429, { caller: player }]]);
  players.answer = answer;
  const bus = { connected: () => true, publish: () => {} };
  const limits = { perSecond: 1, subjectOf: (operator: string) => operator };
  const platformEvents = createPlatformEvents(bus, context.clock, limits);
  await besides(asking.world, { context: { ...context, platformEvents } }, ({ port }) =>
    call(asking, [['POST /v1/events', 429, [{}, {}, {}]]], port),
  );
}

/** Tickets beyond their rate, and of a brand that is disabled. */
export async function askForTickets(asking: Asking): Promise<void> {
  const { context } = asking.world;
  const ticketLimit = createTicketLimit(context.clock, 1);
  await besides(asking.world, { context: { ...context, ticketLimit } }, ({ port }) =>
    call(asking, [['POST /v1/feed-tickets', 429, [{}, {}, {}]]], port),
  );
}

/** What a brand shows to everybody, with the fan-out that has it. */
export async function showEverybody(asking: Asking): Promise<void> {
  const { world } = asking;
  const brand = '/config/operators/acme/brands/main';
  const events = 'GET /v1/public/{operator_id}/{brand_id}/events';
  const jackpots = 'GET /v1/public/{operator_id}/{brand_id}/jackpots';
  await world.call('PATCH', brand, { public_feed: true });
  const path = { operator_id: 'acme', brand_id: 'main' };
  const of = (changes: Changes): Changes => ({ path, ...changes });
  await call(asking, [
    [jackpots, 200, of({})],
    [jackpots, 304, of({ headers: ['If-None-Match', '*'] })],
    [jackpots, 422, of({ query: { currency: 'XXX' } })],
    [events, 422, of({ query: { currency: 'XXX' } })],
  ]);
  const feed = new FeedWorld();
  feed.addBrand('acme:main', { public_feed: true });
  await feed.start();
  try {
    await besides(world, { fanoutPort: feed.fanout.port }, async ({ port }) => {
      const answered = call(asking, [[events, 200, of({})]], port);
      await until(() => feed.connections() === 1);
      // The stream ends with the feed.
      feed.addBrand('acme:main');
      await answered;
    });
  } finally {
    await feed.stop();
  }
  await world.call('PATCH', brand, { public_feed: false });
}

/** One event stream more than an account may have. */
export async function followEvents(asking: Asking): Promise<void> {
  const { world } = asking;
  const caller = world.administrator('viewer', '*');
  const asked = { port: world.port, path: '/config/events', headers: caller.headers, agent: false };
  const open = Array.from({ length: eventStreamLimits.hintStreamsOfAccount }, () =>
    request(asked).on('error', () => {}),
  );
  await Promise.all(open.map((each) => new Promise((resolve) => each.on('response', resolve).end())));
  await call(asking, [['GET /config/events', 429, { caller }]]);
  for (const each of open) each.destroy();
}

/** Right and wrong passwords. */
export async function logIn(asking: Asking): Promise<void> {
  const { world } = asking;
  const next = 'another long password';
  const administrator = { username: 'to-log-in', password, roles: ['viewer'] as const, owners: ['*'] };
  const service = { username: 'to-log-in', password, operator: 'acme', brands: null };
  const of = (token: string): Credential => ({
    name: 'to-log-in',
    username: 'to-log-in',
    headers: { authorization: `Bearer ${token}` },
  });
  const account = await world.access.createAdministrator(administrator);
  const user = await world.access.createServiceUser(service);
  const caller = of(await world.access.tokens.issueAdministrator(account!));
  const serving = of(await world.access.tokens.issueService(user!));
  const body = { username: 'to-log-in', password };
  const change = { current_password: password, new_password: next };
  // Of a name that has logged in from this address, guesses only wait.
  const guessed = await world.access.createServiceUser({ ...service, username: 'guessed' });
  const guesser = of(await world.access.tokens.issueService(guessed!));
  const elevenTimes = (changes: Changes): Changes[] => Array.from({ length: 11 }, () => changes);
  const guess = elevenTimes({ body: { username: 'nobody', password: 'a wrong guess' } });
  const guessCurrent = { caller: guesser, body: { ...change, current_password: 'a wrong guess' } };
  await call(asking, [
    ['POST /auth/admin', 200, { body }],
    ['POST /auth/admin/session', 200, { body }],
    ['POST /v1/auth/service', 200, { body }],
    ['PUT /auth/admin/password', 200, { caller, body: change }],
    ['PUT /v1/auth/service/password', 200, { caller: serving, body: change }],
    ['POST /auth/admin', 429, guess],
    ['POST /auth/admin/session', 429, guess],
    ['POST /v1/auth/service', 429, guess],
    ['PUT /v1/auth/service/password', 429, elevenTimes(guessCurrent)],
  ]);
}

/** Second factors: enrolled, shown, and under the rule proposed. */
export async function showFactors(asking: Asking): Promise<void> {
  const { world } = asking;
  const owned = async (username: string) => {
    const account = await makeAdministrator(world.context, {
      username,
      roles: ['security'],
      owners: ['acme'],
    });
    const token = await world.access.tokens.issueAdministrator(account);
    const headers = { authorization: `Bearer ${token}` };
    const caller: Credential = { name: username, username, headers };
    const enrolment = () => {
      const { enrolmentId, secret } = world.access.secondFactors.begin(account);
      return { enrolment_id: enrolmentId, code: totp(secret, world.context.clock.nowMs()), secret };
    };
    return { caller, enrolment };
  };
  const enrol = 'PUT /auth/admin/second-factor';
  const [first, second] = [await owned('first-factor'), await owned('second-factor')];
  const { secret, ...body } = first.enrolment();
  const next = totp(secret, world.context.clock.nowMs() + 30_000);
  await call(asking, [
    [enrol, 204, { caller: first.caller, body }],
    ['POST /auth/admin/second-factor', 403, { caller: first.caller }],
    ['POST /auth/admin/step-up', 200, { caller: first.caller, body: { code: next } }],
  ]);
  await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
  const { secret: _, ...proposed } = second.enrolment();
  await call(asking, [
    [enrol, 202, { caller: second.caller, body: proposed }],
    ['DELETE /config/users/{username}/second-factor', 202, { ids: { administrator: 'first-factor' } }],
  ]);
  await turnRuleOff(world);
}

/** A system without rates, and an operator that is disabled. */
export async function lackThings(asking: Asking): Promise<void> {
  const bare = await startWorld();
  try {
    await bare.call('POST', '/config/operators', [{ id: 'acme', name: 'Acme' }]);
    await bare.call('POST', '/config/operators/acme/brands', [{ id: 'main', name: 'Main' }]);
    const caller = {
      name: '',
      username: '',
      headers: { authorization: `Bearer ${await bare.serviceToken('acme')}` },
    };
    await call(asking, [['GET /v1/currencies/{brand_id}', 422, { caller, port: bare.port }]]);
    await bare.access.accounts.remove('administrator', 'colleague');
    const only = bare.access.accounts.find('administrator', 'admin-1')!;
    const administrator = {
      ...caller,
      headers: { authorization: `Bearer ${await bare.access.tokens.issueAdministrator(only)}` },
    };
    const alone = { caller: administrator, port: bare.port, body: { four_eyes: { enabled: true } } };
    await call(asking, [['PATCH /config/operators/{operator_id}', 409, alone]]);
  } finally {
    await bare.stop();
  }
  const { world } = asking;
  await world.call('PATCH', '/config/operators/rival', { enabled: false });
  const { instance } = world.things['rival:main'];
  const ids = instance === undefined ? {} : { instance };
  await call(asking, [['GET /v1/jackpot/instances/{instance_id}/ticker', 403, { ids }]]);
  await world.call('PATCH', '/config/operators/rival', { enabled: true });
}

/** A switch that moves more opt-ins than one step does. */
export async function switchModels(asking: Asking): Promise<void> {
  const { world } = asking;
  const create = () => createInstance(world, { owner_id: 'acme:main', template_owner_id: 'acme:main' });
  const [source, target] = [await create(), await create()];
  const activate = (id: string) =>
    world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'A test.' });
  await activate(source);
  const opt_ins = Array.from({ length: 600 }, (_, at) => ({ player_id: `player-${at}`, currency: 'EUR' }));
  const rows = [{ instance_id: source, brand_id: 'acme:main', opt_ins, opt_outs: [] }];
  await world.call('POST', '/config/opt-ins/bulk', rows);
  const pot_rules = ['gold', 'silver'].map((pot) => ({ source_pot: pot, target_pot: { [pot]: '1' } }));
  const ids = { instance: source, otherInstance: target };
  const begin: Command = {
    kind: 'SwitchModel',
    instance: source,
    target,
    rules: ['gold', 'silver'].map((pot) => ({ source: pot, targets: [[pot, '1']] })),
    transferOptIns: true,
    override: false,
    reason: 'A test.',
    user: 'somebody',
  };
  const lane = world.readModel.known(source)!.lane;
  world.apply(lane, begin);
  await call(asking, [
    ['POST /config/model-switch/execute', 409, { ids, body: { pot_rules } }],
    ['POST /config/model-switch/preview', 409, { ids }],
    ['DELETE /config/model-switch/execute', 204, { ids }],
  ]);
  workOn(world, lane);
  world.apply(lane, begin);
  workOn(world, lane);
  await call(asking, [['POST /config/model-switch/execute', 204, { ids, body: { pot_rules } }]]);
}

/** Under the four-eyes rule, changes of money or odds wait for a second administrator. */
export async function proposeChanges(asking: Asking): Promise<void> {
  const { world } = asking;
  const create = () => createInstance(world, { owner_id: 'acme:main', template_owner_id: 'acme:main' });
  const [source, target] = [await create(), await create()];
  await world.call('POST', `/config/instances/${source}/status`, { status: 'Active', reason: 'A test.' });
  await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
  const flushId = '00000000-0000-4000-8000-0000000000f1';
  const flush = { flushId, instance: source, endpoint: '', accountId: '', amountAtoms: 1n, currency: 'EUR' };
  await world.deliveries.add(0, flushId, 'acme:main', { ...flush, openedMs: 0 });
  const pot_rules = ['gold', 'silver'].map((pot) => ({ source_pot: pot, target_pot: { [pot]: '1' } }));
  const ids = { instance: source, otherInstance: target };
  const changes: Readonly<Record<string, Changes>> = {
    'PATCH /config/operators/{operator_id}': { body: { enabled: null, four_eyes: { enabled: false } } },
    'POST /config/users': {},
    'PUT /config/operators/{operator_id}/identity-provider': {},
    'PUT /config/users/{username}/identity': { body: { issuer: 'https://id.example', subject: 'two' } },
    'PATCH /config/users/{username}': { body: { password: 'another long password' } },
    'POST /config/service-users': {},
    'PATCH /config/service-users/{username}': { body: { password: 'another long password' } },
    'POST /config/service-users/{username}/keys': { body: { secret: 'a secret of the caller’s own' } },
    [`PUT ${pots}/current-value`]: {},
    [`PUT ${pots}/seed-value`]: {},
    [`PUT ${pots}/surplus-seed`]: {},
    [`POST ${pots}/trigger`]: { ids },
    'POST /config/operators/{operator_id}/brands': {},
    'PATCH /config/operators/{operator_id}/brands/{brand_id}': { body: { public_winners: true } },
    'POST /config/segments': {},
    'POST /config/segments/assign': {},
    'PUT /config/segments/priorities': {},
    'POST /config/segments/remove': {},
    'POST /config/sources': {},
    'POST /config/sources/assign': {},
    'PUT /config/sources/priorities': {},
    'POST /config/sources/remove': {},
    [`PUT ${instanceOf}/links`]: { ids },
    [`PUT ${instanceOf}/brands/{brand_id}`]: { ids: { ...ids, brand: 'acme:vip' } },
    [`DELETE ${instanceOf}/brands/{brand_id}`]: { ids },
    [`POST ${instanceOf}/opt-in`]: { ids },
    [`POST ${instanceOf}/opt-in/records`]: { ids },
    'POST /config/opt-ins/bulk': {},
    [`POST ${instanceOf}/contributions`]: { ids },
    'POST /config/sources/{source_id}/contributions': {},
    'POST /config/providers/{provider_id}/contributions': {},
    'POST /config/deliveries/{id}/replay': { path: { id: flushId } },
    'POST /config/deliveries/replay': { body: { from: 0, to: Date.now() + 60_000 } },
    'POST /config/forgotten-players': {},
    'POST /config/webhook-origins': { body: { origin: 'http://127.0.0.1:11' } },
    'POST /config/instances': { body: { timestamp_start: Date.now() + 60_000 } },
    [`PUT ${instanceOf}/parameters`]: { ids, body: { overrides: { max_instantiation_count: 5 } } },
    [`POST ${instanceOf}/status`]: { ids, body: { status: 'Completed' } },
    'PUT /config/currencies': { body: { multipliers: { USD: '2' } } },
    'PUT /config/currencies/{brand_id}': { body: { multipliers: { USD: '2' } } },
    'PUT /config/operators/{operator_id}/brands/{brand_id}/wallet': {
      body: { base_url: 'http://127.0.0.1:10' },
    },
    'POST /config/model-switch/preview': { ids, body: { dry_run: false } },
    'POST /config/model-switch/execute': { ids, body: { pot_rules } },
  };
  await call(
    asking,
    Object.entries(changes).map(([route, each]): Witness => [route, 202, each]),
  );
  await decide(asking);
  await turnRuleOff(world);
}

async function turnRuleOff(world: Asking['world']): Promise<void> {
  const off = await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: false } });
  const token = await world.token();
  await world.call('POST', `/config/approvals/${off.json.id}/approve`, undefined, { token });
}

/** What becomes of proposals. */
async function decide(asking: Asking): Promise<void> {
  const { world } = asking;
  const instance = world.things['acme:main'].instance!;
  const propose = async (body: object): Promise<string> =>
    (await world.call('PUT', `/config/instances/${instance}/pots/gold/current-value`, body)).json.id;
  const change = { adjustment: '150', reason: 'A test.' };
  const caller = world.administrator('finance', '*');
  const viewer = world.administrator('viewer', '*');
  const ids = await Promise.all([propose(change), propose(change), propose(change)]);
  const [first, second, third] = ids.map((id) => ({ path: { id: id! } }));
  const approve = 'POST /config/approvals/{id}/approve';
  const reject = 'POST /config/approvals/{id}/reject';
  await call(asking, [
    [approve, 403, { ...first, caller: viewer }],
    [approve, 409, { ...first, caller, body: { another: 'body' } }],
    [approve, 200, { ...first, caller }],
    [approve, 422, { ...third, caller, ...beyondDoubles({ of: long }) }],
    [reject, 403, { ...second, caller: viewer }],
    [reject, 422, { ...second, caller, body: { reason: ' ' } }],
    [reject, 200, { ...second, caller }],
  ]);
  const later = {
    ...world.context.clock,
    nowMs: () => world.context.clock.nowMs() + world.context.approvalLifetimeMs,
  };
  await besides(world, { context: { ...world.context, clock: later } }, ({ port }) =>
    call(asking, [[reject, 409, { ...third, caller }]], port),
  );
}

/** An operator with as many streams as are free. */
export async function openManyStreams(asking: Asking): Promise<void> {
  const operation = operationOf('POST /v2/jackpot/contributions/stream');
  const { port } = asking.world;
  const token = asking.callerOf(operation).headers.authorization!.slice('Bearer '.length);
  const clients = Array.from({ length: streamLimits.streams / 2 }, () => new StreamClient(port, { token }));
  for (const client of clients) await client.status();
  await asking.send({ operation });
  for (const client of clients) client.end();
  for (const client of clients) await client.results();
}

/** An operator shows its draws to its own; and a disabled one is nobody's. */
export async function closeAnOperator(asking: Asking): Promise<void> {
  const { world } = asking;
  const change = (path: string, body: object) => world.call('PATCH', `/config/operators/${path}`, body);
  await change('acme', { fairness: 'signed_in' });
  await change('acme/brands/vip', { enabled: false });
  const shown = ['/epochs', '/epochs/{epoch}', '/conservation'].map(
    (rest) => `GET /v1/fairness/instances/{instance_id}${rest}`,
  );
  const disabled = { caller: world.player, query: { brand_id: 'acme:vip' } };
  await call(asking, [
    ...shown.map((route): Witness => [route, 401, {}]),
    ...shown.map((route): Witness => [route, 403, disabled]),
  ]);
  await change('acme', { fairness: 'public' });
  await change('acme/brands/vip', { enabled: true });
  await change('acme', { enabled: false });
  await call(asking, [
    ['POST /v1/auth/service', 403, { body: { username: 'of-acme', password: 'a long password' } }],
    ['POST /v1/auth/service/renew', 403, {}],
    ['PUT /v1/auth/service/password', 403, {}],
  ]);
  await change('acme', { enabled: true });
}
