import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { isAlive } from '../../src/runtime/process-identity.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { potstream } from '../cli/support/command.ts';
import { type Line, StreamClient } from '../gateway/stream/stream-client.ts';
import { type Answer, ask, KeepAliveLoad } from '../support/keep-alive-load.ts';
import { AdministratorClient, judged, loggedIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** Two gateways behind one port (docs/decisions/0364): what one process had for itself, and how one leaves under load. */
const patience = { timeout: 90_000, interval: 100 };
const connections = 16;
const names = ['gateway', 'gateway-2'];
let system: RunningSystem;
let administrator: AdministratorClient;
let token: string;
let instance: string;
let port: number;

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic', '--gateways', '2'],
    environment: { POTSTREAM_LANES: '1' },
  });
  port = Number(new URL(system.baseUrl).port);
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
  const lookup = await ask(port, 'GET', '/v1/jackpot/instances/source/slot-1/brand/demo:main');
  instance = lookup.json.id;
  token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
});
afterAll(async () => {
  await system?.stop();
});

/** The brand has no wallet: no balance of a player ends. */
const bodyOf = (key: string) => ({
  token: 'session',
  brand_id: 'demo:direct',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: 1,
  currency: 'EUR',
  idempotency_key: key,
});

const path = () => `/v1/jackpot/instances/${instance}/contributions`;
const contribute = (key: string, agent?: Agent): Promise<Answer> =>
  ask(port, 'POST', path(), { body: bodyOf(key), token, agent });

async function total(): Promise<number> {
  const { body } = await administrator.call('GET', `/config/instances/${instance}`);
  return (body as { total_contributions: number }).total_contributions;
}

const load = () => new KeepAliveLoad({ port, path: path(), token, connections, bodyOf });

function pids(): Map<string, number> {
  const children = readRunRecord(join(system.dataDirectory, 'run'))?.children ?? [];
  return new Map(children.flatMap(({ name, process }) => (isAlive(process) ? [[name, process.pid]] : [])));
}

/** Of each gateway, by its name. */
async function metric(name: string): Promise<number[]> {
  const text = await (await fetch(`${system.credentials.ops_url}/metrics`)).text();
  return names.map((gateway) => {
    const line = new RegExp(`^${name}\\{role="${gateway}"[^}]*\\} (\\S+)$`, 'm').exec(text);
    return Number(line?.[1] ?? -1);
  });
}

/** A connection to each gateway. The first part of a request's id is its process'. */
async function oneOfEach(): Promise<Agent[]> {
  const found = new Map<string, Agent>();
  for (let n = 0; n < 200 && found.size < 2; n += 1) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { gateway } = await ask(port, 'GET', `/v1/jackpot/instances/${instance}/ticker`, { agent });
    if (found.has(gateway)) agent.destroy();
    else found.set(gateway, agent);
  }
  expect(found.size).toBe(2);
  return [...found.values()];
}

async function untilBalanced(): Promise<void> {
  await vi.waitFor(async () => {
    const spread = await metric('potstream_gateway_connections');
    expect(Math.min(...spread), `connections ${spread}`).toBeGreaterThanOrEqual(connections / 4);
  }, patience);
}

test('says who they are: children, probes, one readiness, one text of metrics', async () => {
  expect([...pids().keys()].filter((name) => name.startsWith('gateway'))).toEqual(names);
  const doctor = await potstream(['doctor', '--json'], { POTSTREAM_DATA: system.dataDirectory });
  const { detail } = JSON.parse(doctor.stdout).find(({ check }: { check: string }) => check === 'processes');
  for (const name of names) {
    const probe = new RegExp(`${name} \\(${pids().get(name)}, (127\\.0\\.0\\.1:\\d+)\\)`).exec(detail)?.[1];
    expect((await fetch(`http://${probe}/readyz`)).status, name).toBe(200);
  }
  expect(system.output()).toContain(`2 gateways listen on ${system.baseUrl}`);
  // Metrics lack a role that is too busy to answer at once.
  await expect
    .poll(async () => Math.min(...(await metric('potstream_gateway_connections'))), patience)
    .toBeGreaterThanOrEqual(0);
});

test('share the connections, each with its part of the requests', async () => {
  const before = await total();
  const traffic = load().start('spread');
  await untilBalanced();
  const { sent, failed, gateways } = await traffic.stop();
  expect([failed, gateways.size]).toEqual([0, 2]);
  expect(await total()).toBe(before + sent);
});

test('take a key that comes to both at once for one contribution, and agree on the pots', async () => {
  const before = await total();
  const agents = await oneOfEach();
  for (let n = 0; n < 20; n += 1) {
    const answers = await Promise.all(agents.map((agent) => contribute(`both-${n}`, agent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 204]);
    expect(new Set(answers.map(({ headers }) => headers['x-contribution-id'])).size).toBe(1);
  }
  expect(await total()).toBe(before + 20);
  for (const agent of agents) agent.destroy();
  // Connections can be asked to move to the other gateway at any answer, so each try has its own.
  await vi.waitFor(async () => {
    const pair = await oneOfEach();
    const tickers = await Promise.all(
      pair.map((agent) => ask(port, 'GET', `/v1/jackpot/instances/${instance}/ticker`, { agent })),
    );
    for (const agent of pair) agent.destroy();
    expect(tickers[0]!.json).toEqual(tickers[1]!.json);
    expect(tickers[0]!.gateway).not.toBe(tickers[1]!.gateway);
  }, patience);
});

test('count failed log-ins together, so that two let nobody guess twice as much', async () => {
  const agents = await oneOfEach();
  const username = `nobody-${randomUUID()}`;
  const body = { username, password: 'wrong' };
  const guess = (agent: Agent | undefined): Promise<Answer> =>
    judged(() => ask(port, 'POST', '/v1/auth/service', { body, agent }));
  for (let n = 0; n < 10; n += 1) expect((await guess(agents[n % 2])).status).toBe(401);
  await vi.waitFor(async () => {
    for (const agent of agents) expect((await guess(agent)).status).toBe(429);
  }, patience);
  for (const agent of agents) agent.destroy();
});

test('kill -9 of one: a client with one retry sees nothing, and its connections spread again', async () => {
  for (const victim of names) {
    const before = await total();
    const traffic = load().start(`killed-${victim}`);
    await traffic.answered(200);
    const killed = pids().get(victim) as number;
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(pids().get(victim) ?? killed).not.toBe(killed), patience);
    await system.ready();
    await untilBalanced();
    const { sent, failed, statuses } = await traffic.stop();
    expect([failed, statuses]).toEqual([0, [200]]);
    expect(await total()).toBe(before + sent);
  }
});

test('restart one after the other under load: no request fails, streams and feeds are told', async () => {
  const before = await total();
  const old = pids();
  const traffic = load().start('rolling');
  const streams = Array.from({ length: 4 }, () => new StreamClient(port, { token }));
  for (const [index, stream] of streams.entries()) stream.sendLines(lines(`streamed-${index}`, 0, 20));
  for (const stream of streams) await stream.answered(20);
  const closes: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/events/service?token=${token}`);
      socket.on('close', (code) => closes.push(code));
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return socket;
    }),
  );
  const restart = await potstream(['restart', 'gateways'], { POTSTREAM_DATA: system.dataDirectory });
  expect([restart.code, restart.stderr]).toEqual([0, 'gateway restarted.\ngateway-2 restarted.\n']);
  for (const name of names) expect(pids().get(name), name).not.toBe(old.get(name));
  await untilBalanced();
  const { sent, failed, retried, statuses } = await traffic.stop();
  console.log(`rolling restart: ${sent} contributions, ${retried} of them sent a second time`);
  expect([failed, statuses]).toEqual([0, [200]]);
  for (const stream of streams) {
    const last = (await stream.results()).at(-1);
    expect(last).toMatchObject({ ref: null, error: { code: 'shutting_down' }, line: 21, end: true });
  }
  expect(closes).toEqual(sockets.map(() => 1001));
  expect(await total()).toBe(before + sent + 80);
});

test('a stop ends all of them', async () => {
  const running = [...pids().values()];
  expect(await system.stop()).toBe(0);
  for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

function lines(name: string, from: number, count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: from + index + 1,
    target: { type: 'instance', id: instance },
    source: { type: 'gameround', id: `${name}-${from + index}` },
    operator_id: 'demo',
    player: { id: name, token: 'session', country: 'DE', brand_id: 'direct' },
    base_wager: { currency: 'EUR', value: '1.00' },
    options: { idempotency_key: `${name}-${from + index}` },
  }));
}
