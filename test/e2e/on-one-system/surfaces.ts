import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../src/gateway/api/operations/index.ts';
import { type Frame, TestSocket, until } from '../../fanout/feed-world.ts';
import { answerCheck } from '../../gateway/support/described.ts';
import { eventually } from '../../outbox/support/receiver.ts';
import { callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

const patienceMs = 240_000;
const undescribed = answerCheck(operations);
const sockets: TestSocket[] = [];
let system: RunningSystem;
let admin = '';
let service = '';
let host = '';
let simulation = '';
/** By what it is called in the demo. */
const instances = new Map<string, string>();

beforeAll(async () => {
  system = await oneSystem();
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  service = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  const all = await call('GET', '/config/instances', undefined, admin);
  host = (await call('GET', '/config/hosts', undefined, admin)).json[0].id;
  for (const { id, template_id } of all.json) instances.set(template_id, id);
  const played = { owner_id: 'demo', template_id: 'three-pots', contributions: 10 };
  await eventually(async () => {
    const begun = await call('POST', '/config/simulations', played, admin);
    simulation = begun.json.id;
    return begun.status === 202;
  }, 'a simulation is begun');
  await showEverybody(true);
}, patienceMs);
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await showEverybody(false);
}, patienceMs);

describe('every read of a running system', () => {
  // Those of the books need what is in them, those of subscriptions and providers one of them: reports.ts, webhooks.ts,
  // provider-logins.ts, where a browser goes as well.
  const reads = operations.filter(
    ({ id, method, limits }) =>
      method === 'GET' &&
      limits?.events !== true &&
      !/^(reports|(config\.)?subscriptions|identity-providers|provider-logins)\./.test(id),
  );

  it.each(reads.map((operation) => [operation.id, operation] as const))(
    '%s answers as the OpenAPI document says',
    async (_, operation) => {
      const token = tokenOf(operation);
      const { status, text } = await call('GET', urlOf(operation), undefined, token);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    },
    patienceMs,
  );
});

describe('the feeds of a running system, through the gateway', () => {
  it(
    'tell a player and the service of contributions, opt-ins and wins, each as it may know them',
    async () => {
      const [one, two] = system.credentials.players;
      if (one === undefined || two === undefined) throw new Error('the demo has two players');
      const mine = await open(playerPath(one), { Origin: system.baseUrl });
      const other = await open(playerPath(two));
      const all = await open(`/events/service?token=${service}`);
      const status = await open('/v1/jackpot/status');
      for (const socket of [mine, other, all]) socket.subscribe();
      status.say({ AuthenticateRequest: { token: service } });
      const triggered = named('final-whistle');
      await until(() => [mine, other, all].every((socket) => socket.frames.length > 0));
      await until(() => status.frames.length > 1);
      expect(status.frames[0].jackpots.map(({ id }: Frame) => id)).toContain(triggered);

      const sent = await call(
        'POST',
        `/v1/jackpot/instances/${triggered}/contributions`,
        contribution(one),
        service,
      );
      expect(sent.status).toBe(200);
      const trigger = {
        brand_id: system.credentials.brand_id,
        player_id: one.player_id,
        source_id: 'sportsbook',
      };
      const [pot] = (await call('GET', `/config/instances/${triggered}`, undefined, admin)).json.pots;
      const path = `/config/instances/${triggered}/pots/${pot.id}/trigger`;
      const finance = await call('POST', path, trigger, admin);
      expect(finance.status).toBe(200);
      const wins = (socket: TestSocket) =>
        socket.of('WinEvent').filter(({ instance_id }) => instance_id === triggered);
      await until(() => [mine, other, all].every((socket) => wins(socket).length === 1));
      const { win_amount } = finance.json;
      expect(wins(all)[0].data).toMatchObject({ player_id: one.player_id, win_amount, external: true });
      expect(wins(mine)[0].data).toMatchObject({ player_id: one.player_id, currency: one.currency });
      expect(String(wins(mine)[0].data.win_amount)).toMatch(/^\d+(\.\d{1,2})?$/);
      expect(wins(other)[0].data.player_id).toBe(`${one.player_id.slice(0, 2)}***`);
      expect(wins(other)[0].seq).toBe(wins(all)[0].seq);

      const optedIn = named('opt-in');
      const who = {
        player_id: one.player_id,
        brand_id: system.credentials.brand_id,
        player_country: 'DE',
        opt_in: true,
      };
      const answer = await call('POST', `/v1/jackpot/instances/${optedIn}/opt-in`, who, service);
      expect(answer.status).toBe(204);
      const optIns = (socket: TestSocket) =>
        socket
          .of('OptInEvent')
          .filter(({ instance_id, player_id }) => instance_id === optedIn && player_id === one.player_id);
      await until(() => [mine, all].every((socket) => optIns(socket).length === 1));
      expect(optIns(mine)[0].data).toMatchObject({ opted_in: true, ext_player_id: one.player_id });
      expect(optIns(other)).toEqual([]);
      expect(mine.frames.every(({ event_type }) => !/^(Payout|Community)/.test(event_type))).toBe(true);
    },
    patienceMs,
  );

  it(
    'carry events of other platforms to the player or the brand that they name',
    async () => {
      const [one, two] = system.credentials.players;
      const [mine, other, all] = await Promise.all([
        open(playerPath(one!)),
        open(playerPath(two!)),
        open(`/events/service?token=${service}`),
      ]);
      for (const socket of [mine, other, all]) {
        const events = ['campaign', 'drop'].map((source) => ({ source, event_type: '*' }));
        socket.say({ SubscribeRequest: { events } });
        await socket.answersPing();
      }
      const { brand_id } = system.credentials;
      const own = {
        source: 'drop',
        event_type: 'Dropped',
        brand_id,
        player_id: one!.player_id,
        data: { spins: 5 },
      };
      const whole = { source: 'campaign', event_type: 'Started', brand_id: 'main', data: ['all'] };
      for (const event of [own, whole]) {
        const answer = await call('POST', '/v1/events', event, service);
        expect([answer.status, answer.text]).toEqual([202, '']);
      }
      await until(() => [mine, other, all].every((socket) => socket.of('Started').length === 1));
      expect(mine.of('Dropped')).toEqual([
        expect.objectContaining({ source: 'drop', brand_id, player_id: one!.player_id, data: { spins: 5 } }),
      ]);
      expect(all.of('Dropped')).toHaveLength(1);
      expect(other.of('Dropped')).toEqual([]);
      expect(other.of('Started')[0]).toMatchObject({ brand_id, player_id: null, data: ['all'] });
    },
    patienceMs,
  );

  it(
    'open with a ticket, of a player or a service, once',
    async () => {
      const [one] = system.credentials.players;
      const body = { brand_id: system.credentials.brand_id, currency: one!.currency };
      const asked = await fetch(`${system.baseUrl}/v1/feed-tickets`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-player-token': one!.token },
        body: JSON.stringify(body),
      });
      const word = await call('POST', '/v1/feed-tickets', { ...body, player_id: one!.player_id }, service);
      expect([asked.status, word.status]).toEqual([201, 201]);
      for (const json of [await asked.json(), word.json]) {
        const path = `${json.path}?ticket=${json.ticket}`;
        const socket = await open(path);
        socket.subscribe();
        await until(() => socket.of('JackpotUpdate').length > 0);
        await expect(open(path)).rejects.toThrow('401');
      }
    },
    patienceMs,
  );

  it(
    'are public where the brand is, as websockets and as events, and end with that',
    async () => {
      const path = `/v1/public/${system.credentials.brand_id.replace(':', '/')}/events`;
      const socket = await open(path, { Origin: 'http://anywhere.example' });
      socket.subscribe();
      await until(() => socket.of('JackpotUpdate').length > 0);
      const stream = await fetch(`${system.baseUrl}${path}`);
      const { value } = await stream.body!.getReader().read();
      expect(Buffer.from(value!).toString('utf8')).toMatch(/^retry: \d+\n/);
      await showEverybody(false);
      await until(() => socket.closeCode !== null);
      expect(socket.closeCode).toBe(4403);
      expect((await fetch(`${system.baseUrl}${path}`)).status).toBe(404);
    },
    patienceMs,
  );

  it('refuse a token that is none before the upgrade', async () => {
    for (const path of [playerPath({ token: 'nonsense', currency: 'EUR' }), '/events/service?token=nonsense'])
      await expect(open(path)).rejects.toThrow('401');
    await expect(open('/v1/jackpot/status', { Origin: 'http://evil.example' })).rejects.toThrow('403');
  });
});

describe('the pages and documents', () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${system.baseUrl}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

  it.each(['/docs', '/verify', '/', '/v1/openapi.json', '/v1/asyncapi.json'])(
    'are compressed: %s',
    async (path) => {
      const plain = await ask(path);
      for (const coding of ['br', 'gzip']) {
        const answer = await ask(path, { 'accept-encoding': coding });
        expect(answer.headers.get('content-encoding')).toBe(coding);
        expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
        expect(answer.headers.get('cache-control')).toBe('no-cache');
        expect(await answer.text()).toBe(await plain.clone().text());
        const etag = answer.headers.get('etag')!;
        expect(etag).not.toBe(plain.headers.get('etag'));
        // fetch adds "Cache-Control: no-cache" to a condition, which asks for the whole page.
        const headers = { 'accept-encoding': coding, 'if-none-match': etag };
        const again = await request(`${system.baseUrl}${path}`, { headers });
        expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
      }
    },
  );

  it('refer to scripts that never change, of this host', async () => {
    const page = await (await ask('/docs')).text();
    const [, script = ''] = /<script[^>]* src="(\/assets\/[^"]+)"/.exec(page) ?? [];
    const answer = await ask(script, { 'accept-encoding': 'br' });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(page).not.toMatch(/https?:\/\//);
  });
});

async function call(method: string, path: string, body?: unknown, token = '') {
  const answer = await callGateway(system.baseUrl, method, path, body, token);
  expect(undescribed(method, path, answer.status, answer.text)).toBe(null);
  return answer;
}

function tokenOf({ authentication }: Operation): string {
  if (authentication.kind === 'none') return '';
  return 'action' in authentication ? admin : service;
}

/** The inputs of the demo, for every read. */
function urlOf({ path, input }: Operation): string {
  const { credentials } = system;
  const values: Readonly<Record<string, string>> = {
    instance_id: named(path.startsWith('/v1/raffles') ? 'lucky-draw' : 'three-pots'),
    pot_id: 'mini',
    brand_id: credentials.brand_id,
    operator_id: credentials.operator_id,
    owner_id: credentials.operator_id,
    template_id: 'three-pots',
    username: (path.startsWith('/config/users') ? credentials.admin : credentials.service).username,
    source_id: 'slot-1',
    segment_id: 'vip',
    player_id: credentials.players[0]?.player_id ?? '',
    country_code: 'DE',
    epoch: '0',
    lane: '0',
    host_id: host,
    simulation_id: simulation,
  };
  const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const asked = Object.entries((input.query as { shape?: object } | undefined)?.shape ?? {})
    .filter(([, field]) => !(field as { isOptional(): boolean }).isOptional())
    .map(([name]) => `${name}=${encodeURIComponent(values[name] ?? '')}`);
  return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`;
}

function named(template: string): string {
  const found = instances.get(template);
  if (found === undefined)
    throw new Error(`no instance of ${template} among ${[...instances.keys()].join()}`);
  return found;
}

function playerPath({ token, currency }: { token: string; currency: string }): string {
  const [operator, brand] = system.credentials.brand_id.split(':');
  return `/events/${operator}/${brand}?token=${encodeURIComponent(token)}&currency=${currency}`;
}

async function open(path: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const socket = new TestSocket(system.baseUrl.replace(/^http/, 'ws') + path, headers);
  sockets.push(socket);
  await socket.opened;
  return socket;
}

function contribution({
  player_id,
  token,
  currency,
}: {
  player_id: string;
  token: string;
  currency: string;
}) {
  return {
    brand_id: system.credentials.brand_id,
    player_id,
    token,
    player_country: 'DE',
    base_wager: 10,
    currency,
    idempotency_key: `surfaces-${player_id}`,
  };
}

async function showEverybody(public_feed: boolean): Promise<void> {
  const [operator, brand] = system.credentials.brand_id.split(':');
  const changed = await call(
    'PATCH',
    `/config/operators/${operator}/brands/${brand}`,
    { public_feed },
    admin,
  );
  expect(changed.status).toBe(204);
}
