import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFirstAdministrator } from '../../src/access/accounts/bootstrap.ts';
import { run as runActors } from '../../src/actors/main.ts';
import { readSettings } from '../../src/config/settings.ts';
import { run as runGateway } from '../../src/gateway/main.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import type { Log } from '../../src/ports.ts';
import type { RunningRole } from '../../src/runtime/role.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { freePort } from '../support/free-port.ts';
import { makeSystemOn } from '../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

/** Users in a system with two gateways over a real nats-server. */
const patienceMs = 180_000;
const password = 'a long and good one';
let server: TestNatsServer;
let log: Log;
let data: string;
let actors: RunningRole;
const gateways: { readonly port: number; readonly role: RunningRole }[] = [];
let root = '';

beforeAll(async () => {
  server = await startNatsServer();
  data = await mkdtemp(join(tmpdir(), 'potstream-test-users-'));
  const { url, user } = server;
  log = await connectLog({ servers: [url], user, password: server.password, replicas: 1 });
  const first = settings(await freePort());
  await makeSystemOn(log, first.lanes);
  actors = await runActors(first);
  const ports = { clock: systemClock, random: systemRandom };
  await createFirstAdministrator(await log.table('ACCOUNTS'), { username: 'root', password }, ports);
  for (let count = 0; count < 2; count += 1) {
    const port = await freePort();
    gateways.push({ port, role: await runGateway(settings(port)) });
    await vi.waitUntil(async () => (await call(count, 'GET', '/readyz')).status === 200, {
      timeout: patienceMs,
    });
  }
  root = await login(0, 'root');
  const created = await call(0, 'POST', '/config/operators', [{ id: 'op', name: 'Op' }], root);
  expect(created.json.success).toEqual(['op']);
}, patienceMs);

afterAll(async () => {
  for (const { role } of gateways) await role.stop();
  await actors?.stop();
  await log?.close();
  await server?.stop();
  await rm(data, { recursive: true, force: true });
}, patienceMs);

function settings(port: number) {
  return readSettings({
    POTSTREAM_DATA: data,
    POTSTREAM_LANES: '1',
    POTSTREAM_PORT: String(port),
    POTSTREAM_DEVELOPMENT: '1',
    POTSTREAM_LOG_LEVEL: 'silent',
    POTSTREAM_NATS_URL: server.url,
    POTSTREAM_NATS_USER: server.user,
    POTSTREAM_NATS_PASSWORD: server.password,
  });
}

async function call(gateway: number, method: string, path: string, body?: unknown, token = '') {
  const answer = await fetch(`http://127.0.0.1:${gateways[gateway]?.port}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
}

async function login(gateway: number, username: string): Promise<string> {
  return (await call(gateway, 'POST', '/auth/admin', { username, password })).json.token;
}
async function create(username: string): Promise<void> {
  const body = { username, password, roles: ['security'], owners: ['op'] };
  expect((await call(0, 'POST', '/config/users', body, root)).status).toBe(201);
  await vi.waitUntil(async () => (await read(1, username)).status === 200, { timeout: patienceMs });
}
const read = (gateway: number, username: string) =>
  call(gateway, 'GET', `/config/users/${username}`, undefined, root);
const disable = (gateway: number, username: string, token: string) =>
  call(gateway, 'PATCH', `/config/users/${username}`, { enabled: false }, token);

it(
  'a disabled administrator acts no more through any gateway',
  async () => {
    await create('ada');
    const token = await login(1, 'ada');
    expect((await call(1, 'GET', '/config/users', undefined, token)).status).toBe(200);
    await vi.waitUntil(async () => (await read(0, 'ada')).json.last_login_timestamp !== null, {
      timeout: patienceMs,
    });
    expect((await disable(0, 'ada', root)).json).toMatchObject({ username: 'ada', enabled: false });
    expect((await call(0, 'GET', '/config/users', undefined, token)).json.code).toBe('token_revoked');
    await vi.waitUntil(async () => (await call(1, 'GET', '/config/users', undefined, token)).status === 401, {
      timeout: patienceMs,
    });
    expect((await call(1, 'POST', '/auth/admin', { username: 'ada', password })).json.code).toBe(
      'invalid_credentials',
    );
  },
  patienceMs,
);

it(
  'a disabled service user acts no more through any gateway',
  async () => {
    const body = { username: 'service', password, operator_id: 'op' };
    expect((await call(0, 'POST', '/config/service-users', body, root)).status).toBe(201);
    const { token } = (await call(0, 'POST', '/v1/auth/service', { username: 'service', password })).json;
    const sources = (gateway: number) =>
      call(gateway, 'GET', '/v1/jackpot/sources?owner_id=op', undefined, token);
    await vi.waitUntil(async () => (await sources(1)).status === 200, { timeout: patienceMs });
    const changed = await call(0, 'PATCH', '/config/service-users/service', { enabled: false }, root);
    expect(changed.status).toBe(200);
    await vi.waitUntil(async () => (await sources(1)).json.code === 'token_revoked', { timeout: patienceMs });
  },
  patienceMs,
);

it(
  'of administrators who disable each other through two gateways at once, one remains',
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const names = [`left-${round}`, `right-${round}`] as const;
      for (const name of names) await create(name);
      const tokens = await Promise.all(names.map((name, gateway) => login(gateway, name)));
      const answers = await Promise.all([disable(0, names[1], tokens[0]!), disable(1, names[0], tokens[1]!)]);
      const done = answers.filter(({ status }) => status === 200).length;
      expect([1, 0]).toContain(done);
      const states = await Promise.all(
        names.map((name) => log.table('ACCOUNTS').then((table) => enabled(table, name))),
      );
      expect(states.filter((state) => !state)).toHaveLength(done);
    }
  },
  patienceMs,
);

/** As it is stored. */
async function enabled(table: Awaited<ReturnType<Log['table']>>, username: string): Promise<boolean> {
  const key = `administrator.${Buffer.from(username).toString('base64url')}`;
  const entry = await table.get(key);
  return JSON.parse(Buffer.from(entry!.value).toString('utf8')).enabled;
}
