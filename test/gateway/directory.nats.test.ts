import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFirstAdministrator } from '../../src/access/accounts/bootstrap.ts';
import { openBrandWallets } from '../../src/access/keys/brand-wallets.ts';
import { openWebhookSecrets } from '../../src/access/keys/webhook-secrets.ts';
import { run as runActors } from '../../src/actors/main.ts';
import { readSettings } from '../../src/config/settings.ts';
import { run as runGateway } from '../../src/gateway/main.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import { decodeCommandBatch, decodeOutcomeRecord } from '../../src/messages/codec/codec.ts';
import type { LoggedCommand } from '../../src/messages/commands.ts';
import type { Log } from '../../src/ports.ts';
import type { RunningRole } from '../../src/runtime/role.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { freePort } from '../support/free-port.ts';
import { makeSystemOn } from '../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

/** Actors and a gateway over a real nats-server: what the directory says reaches the lanes, and outlives processes. */

const patienceMs = 180_000;
const lanes = 2;
let server: TestNatsServer;
let log: Log;
let data: string;
let port: number;
let actors: RunningRole;
let gateway: RunningRole;
let admin = '';
let service = '';

const credentials = { username: 'root', password: 'a long password' };

beforeAll(async () => {
  server = await startNatsServer();
  data = await mkdtemp(join(tmpdir(), 'potstream-test-directory-'));
  log = await connectLog({
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
  });
  port = await freePort();
  await makeSystemOn(log, settings().lanes);
  actors = await runActors(settings());
  const ports = { clock: systemClock, random: systemRandom };
  await createFirstAdministrator(await log.table('ACCOUNTS'), credentials, ports);
  await startGateway();
  await furnish();
}, patienceMs);

afterAll(async () => {
  await gateway.stop();
  await actors.stop();
  await log.close();
  await server.stop();
  await rm(data, { recursive: true, force: true });
}, patienceMs);

function settings() {
  return readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: String(lanes),
    POTSTREAM_PORT: String(port),
    POTSTREAM_DEVELOPMENT: '1',
    POTSTREAM_LOG_LEVEL: 'silent',
    POTSTREAM_NATS_URL: server.url,
    POTSTREAM_NATS_USER: server.user,
    POTSTREAM_NATS_PASSWORD: server.password,
  });
}

async function startGateway(): Promise<void> {
  gateway = await runGateway(settings());
  await vi.waitUntil(async () => (await call('GET', '/readyz')).status === 200, { timeout: patienceMs });
  admin = (await call('POST', '/auth/admin', credentials)).json.token;
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    json: text === '' ? null : JSON.parse(text),
  };
}

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(method, path, body, { authorization: `Bearer ${admin}` });
const asService = (method: string, path: string, body?: unknown) =>
  call(method, path, body, { authorization: `Bearer ${service}` });

const ids: Record<string, string> = {};

async function furnish(): Promise<void> {
  await asAdmin('POST', '/config/operators', [{ id: 'op', name: 'Op' }]);
  await asAdmin('POST', '/config/operators/op/brands', [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ]);
  await asAdmin('PUT', '/config/currencies', { base_currency: 'EUR', multipliers: { USD: '1.1' } });
  const template = {
    owner_id: 'op',
    id: 't',
    name: 'T',
    description: '',
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: 0.1 } },
    pots: [{ id: 'p', contribution: { Percentage: 1 }, pot_types: [{ External: {} }] }],
  };
  expect((await asAdmin('POST', '/config/templates', template)).status).toBe(201);
  for (const [name, group] of [
    ['plain', 'op'],
    ['gold', 'op'],
    ['silver', 'op'],
    ['apart', 'op:apart'],
  ] as const) {
    const made = { template_owner_id: 'op', template_id: 't', owner_id: 'op', name, group };
    ids[name] = (await asAdmin('POST', '/config/instances', made)).json.id;
    const active = { status: 'Active', reason: 'test' };
    expect((await asAdmin('POST', `/config/instances/${ids[name]}/status`, active)).status).toBe(200);
  }
  const user = { username: 'service', password: 'a long password', operator_id: 'op' };
  expect((await asAdmin('POST', '/config/service-users', user)).status).toBe(201);
  service = (await call('POST', '/v1/auth/service', { username: user.username, password: user.password }))
    .json.token;
}

const contribution = (changes: object = {}) => ({
  token: 'session',
  brand_id: 'op:a',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: '1.00',
  currency: 'EUR',
  ...changes,
});
const bySource = (source: string, changes: object = {}) =>
  asService('POST', `/v1/jackpot/sources/${source}/contributions`, contribution(changes));
const lookup = async (source: string, segments = '') =>
  (await call('GET', `/v1/jackpot/instances/source/${source}/brand/op:a?segments=${segments}`)).json.id;

describe('segments', () => {
  const segment = (id: string, priority: number, jackpot: string) => ({
    owner_id: 'op',
    id,
    priority,
    jackpots: [{ priority: 0, owner_id: 'op', instance_id: ids[jackpot] }],
  });

  it('lead contributions and lookups alike, in every lane at once', async () => {
    const sources = [{ owner_id: 'op', source_id: 'slot', source_name: 'S', jackpots: [] }];
    await asAdmin('POST', '/config/sources', sources);
    const plain = { owner_id: 'op', source_id: ['slot'], instance_id: ids.plain };
    expect((await asAdmin('POST', '/config/sources/assign', plain)).status).toBe(204);
    const made = await asAdmin('POST', '/config/segments', [
      segment('gold', 1, 'gold'),
      segment('silver', 2, 'silver'),
    ]);
    expect(made.json).toEqual({ succeeded: ['gold', 'silver'], duplicated: [], failed: [] });
    for (const [segments, expected] of [
      [[], 'plain'],
      [['silver'], 'silver'],
      [['silver', 'gold'], 'gold'],
      [['unknown'], 'plain'],
    ] as const) {
      expect((await bySource('slot', { segments })).json.instance_id).toBe(ids[expected]);
      expect(await lookup('slot', segments.join(','))).toBe(ids[expected]);
    }
    const removal = { owner_id: 'op', segment_id: 'gold', instance_id: ids.gold };
    expect((await asAdmin('POST', '/config/segments/remove', removal)).status).toBe(204);
    expect((await bySource('slot', { segments: ['gold', 'silver'] })).json.instance_id).toBe(ids.silver);
    const gone = await asAdmin('DELETE', '/config/segments', [{ owner_id: 'op', segment_id: 'gold' }]);
    expect(gone.json).toEqual({ succeeded: ['gold'], failed: [] });
    await asAdmin('POST', '/config/segments', [segment('gold', 9, 'gold')]);
    expect((await bySource('slot', { segments: ['gold', 'silver'] })).json.instance_id).toBe(ids.silver);
    expect(await lookup('slot', 'gold,silver')).toBe(ids.silver);
  });

  it('settle the group of a source that has no list of its own', async () => {
    const sources = [{ owner_id: 'op', source_id: 'bare', source_name: 'S', jackpots: [] }];
    await asAdmin('POST', '/config/sources', sources);
    const key = { segments: ['silver'], idempotency_key: 'bare-1' };
    const first = await bySource('bare', key);
    expect(first.json.instance_id).toBe(ids.silver);
    const apart = { owner_id: 'op', source_id: ['bare'], instance_id: ids.apart };
    expect((await asAdmin('POST', '/config/sources/assign', apart)).json.code).toBe('group_mismatch');
    const again = await bySource('bare', key);
    expect([again.status, again.headers['x-contribution-id']]).toEqual([
      204,
      first.headers['x-contribution-id'],
    ]);
  });

  it('of another group than the source are passed over, though they may share its lane', async () => {
    const apart = { owner_id: 'op', id: 'apart', priority: 0, jackpots: [] };
    await asAdmin('POST', '/config/segments', [apart]);
    const assignment = { owner_id: 'op', segment_id: 'apart', instance_id: ids.apart };
    expect((await asAdmin('POST', '/config/segments/assign', assignment)).status).toBe(204);
    expect((await bySource('slot', { segments: ['apart'] })).json.instance_id).toBe(ids.plain);
    expect(await lookup('slot', 'apart')).toBe(ids.plain);
  });
});

describe('an entry that many change at once', () => {
  it('is changed by each of them', async () => {
    const origins = Array.from({ length: 40 }, (_, at) => `https://hooks-${at}.example`);
    const add = (origin: string) => asAdmin('POST', '/config/webhook-origins', { operator_id: 'op', origin });
    const statuses = (await Promise.all(origins.map(add))).map(({ status }) => status);
    expect(statuses).toEqual(origins.map(() => 201));
    const { json } = await asAdmin('GET', '/config/webhook-origins?operator_id=op&limit=100');
    expect(json.map((item: { origin: string }) => item.origin)).toEqual(expect.arrayContaining(origins));
  });
});

describe('rates of a brand', () => {
  it('price its contributions until they are removed', async () => {
    const priced = async () => {
      const changes = { brand_id: 'op:b', currency: 'USD', base_wager: 22 };
      const path = `/v1/jackpot/instances/${ids.plain}/contributions`;
      const answer = await asService('POST', path, contribution({ ...changes, player_id: 'priced' }));
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.json.contribution_amount;
    };
    const set = (multipliers: object) => asAdmin('PUT', '/config/currencies/op:b', { multipliers });
    expect(await priced()).toBe(0.11);
    expect((await set({ USD: '2.2' })).json.multipliers).toEqual({ EUR: 1, USD: 2.2 });
    expect(await priced()).toBe(0.22);
    expect((await set({})).json.multipliers).toEqual({ EUR: 1, USD: 1.1 });
    expect(await priced()).toBe(0.11);
    expect((await set({})).status).toBe(200);
  });
});

describe('asynchronous contributions', () => {
  const origin = 'http://127.0.0.1:9';

  it('are accepted for registered origins; the outcome stands in the log for the outbox', async () => {
    const callback = { web_hook: `${origin}/cb`, win_result_only: true };
    const path = `/v1/jackpot/instances/${ids.plain}/contributions`;
    const body = contribution({ callback, metadata: { a: 1 }, idempotency_key: 'async-1' });
    expect((await asService('POST', path, body)).json.code).toBe('callback_address_not_allowed');
    expect((await asAdmin('POST', '/config/webhook-origins', { operator_id: 'op', origin })).status).toBe(
      201,
    );
    const first = await asService('POST', path, body);
    expect([first.status, first.text]).toEqual([200, '']);
    const again = await asService('POST', path, body);
    expect(again.status).toBe(204);
    for (const name of ['x-contribution-id', 'x-timestamp'])
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    expect(again.headers['x-instance-id']).toBeUndefined();

    // An owner answers before it stores.
    await vi.waitUntil(async () => (await withHooks()).length > 0, { timeout: patienceMs });
    const [hooked] = await withHooks();
    expect(hooked).toMatchObject({
      command: { callback: { webHook: callback.web_hook, winResultOnly: true }, metadata: '{"a":1}' },
      outcome: { kind: 'Contributed', results: [{ instance: ids.plain }] },
    });
  });
});

describe('signed requests', () => {
  it(
    'are seen once, also by another gateway process',
    async () => {
      const { key_id, secret } = (await asAdmin('POST', '/config/service-users/service/keys')).json;
      const path = '/v1/jackpot/sources?owner_id=op';
      const [timestamp, nonce] = [String(Date.now()), randomBytes(9).toString('base64url')];
      const digest = createHash('sha256').digest('hex');
      const mac = createHmac('sha256', secret)
        .update(['GET', path, timestamp, nonce, digest].join('\n'))
        .digest('hex');
      const headers = {
        'x-key-id': key_id,
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': `v1=${mac}`,
      };
      expect((await call('GET', path, undefined, headers)).status).toBe(200);
      expect((await call('GET', path, undefined, headers)).json.code).toBe('replay_detected');
      await gateway.stop();
      await startGateway();
      expect((await call('GET', path, undefined, headers)).json.code).toBe('replay_detected');
    },
    patienceMs,
  );
});

describe('after the restart of a gateway', () => {
  it('everything is resolved as before', async () => {
    expect(await lookup('slot', 'silver')).toBe(ids.silver);
    expect((await bySource('slot', { segments: ['silver'] })).json.instance_id).toBe(ids.silver);
    const list = (await asAdmin('GET', '/config/segments?brand_id=op&name=&sort_field=priority')).json;
    expect(list.map((each: { id: string; priority: number }) => [each.id, each.priority])).toEqual([
      ['apart', 0],
      ['silver', 2],
      ['gold', 9],
    ]);
  });
});

describe('secrets', () => {
  it('of wallets and webhooks reach the roles that need them, sealed; lanes learn what they need of the wallet', async () => {
    const path = '/config/operators/op/brands/b/wallet';
    const wallet = {
      base_url: 'http://127.0.0.1:9/wallet',
      bearer_key: 'bearer-key',
      hmac_secret: 'a secret of the wallet',
      provider_id: 'potstream',
      verification_limit: '250',
    };
    expect((await asAdmin('PUT', path, wallet)).status).toBe(200);
    const signature = { operator_id: 'op', secret_key: 'a secret of the hooks' };
    expect((await asService('PUT', '/v1/webhooks/signature', signature)).json.code).toBe('ok');

    const accounts = await log.table('ACCOUNTS');
    const options = { random: systemRandom, keysDirectory: join(data, 'keys') };
    const wallets = await openBrandWallets(accounts, options);
    expect(wallets.find('op:b')).toMatchObject({ bearerKey: 'bearer-key', hmacSecret: wallet.hmac_secret });
    await wallets.stop();
    const hooks = await openWebhookSecrets(accounts, options);
    expect(hooks.secretFor('op:b')).toBe(signature.secret_key);
    await hooks.stop();

    for (let lane = 0; lane < lanes; lane += 1) {
      const told = (await commandsOf(lane)).filter(
        (command) => command.kind === 'SetBrand' && command.brand === 'op:b',
      );
      expect(told.at(-1)).toMatchObject({
        provider: 'potstream',
        verificationLimitAtoms: 25_000_000_000n,
        verificationCurrency: 'EUR',
      });
      const bytes = JSON.stringify(await commandsOf(lane), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const secret of [wallet.bearer_key, wallet.hmac_secret, signature.secret_key])
        expect(bytes).not.toContain(secret);
    }
  });
});

async function commandsOf(lane: number): Promise<LoggedCommand[]> {
  const commands: LoggedCommand[] = [];
  const last = await log.lastCommand(lane);
  for (let sequence = 1; sequence <= last; sequence += 1)
    commands.push(...decodeCommandBatch((await log.readCommand(lane, sequence))!.bytes).commands);
  return commands;
}

/** What the outbox will see: contributions of outcome records with hooks, with their commands. */
async function withHooks() {
  const found: { command: unknown; outcome: unknown }[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const sequences: number[] = [];
    await new Promise<void>((resolve) => {
      const follower = log.followOutcomes(
        lane,
        1,
        { hooks: true },
        {
          message: ({ sequence }) => void sequences.push(sequence),
          caughtUp: () => void follower.stop().then(resolve),
        },
      );
    });
    for (const sequence of sequences) {
      const { commands } = decodeCommandBatch((await log.readCommand(lane, sequence))!.bytes);
      const { outcomes } = decodeOutcomeRecord((await log.readOutcome(lane, sequence))!.bytes);
      commands.forEach((command, index) => void found.push({ command, outcome: outcomes[index] }));
    }
  }
  return found;
}
