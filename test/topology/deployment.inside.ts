import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import type { Shard } from '../../src/cli/placement/shards.ts';
import { OperatorClient } from '../support/operator-client.ts';
import { PayingOperator, payingBrand, payingOwner } from '../support/paying-operator.ts';
import type { RunningSystem } from '../support/system.ts';
import { composeDeployment } from './compose.ts';
import { kubernetesDeployment } from './kubernetes.ts';
import { type Connection, Machine } from './machine.ts';
import { type Operator, startOperator } from './operator.ts';

const directory = process.env.POTSTREAM_TOPOLOGY as string;
const kind = process.env.POTSTREAM_TOPOLOGY_KIND;
/** The files say 64, which three servers and all roles on two cores take minutes for. */
const lanes = process.env.POTSTREAM_TOPOLOGY_LANES ?? '4';
const patience = { timeout: 60_000, interval: 200 };

const deployment = kind === 'kubernetes' ? kubernetesDeployment(directory) : composeDeployment(directory);
const names = (role: string): string[] =>
  deployment.containers.map(({ name }) => name).filter((name) => name.startsWith(`${role}-`));

let machine: Machine;
let operator: Operator;
let paying: PayingOperator;
const connections = new Map<string, Connection>();
const watch = (): void => {
  for (const each of machine?.connections() ?? []) connections.set(JSON.stringify(each), each);
};
const watching = setInterval(watch, 300);

beforeAll(async () => {
  machine = new Machine(directory, deployment, process.env.POTSTREAM_NATS_SERVER as string, {
    NODE_EXTRA_CA_CERTS: '/opt/operator/tls/ca.pem',
    POTSTREAM_LANES: lanes,
  });
  machine.isolate();
  operator = await startOperator(directory, machine.operator);
  await machine.start();
}, 240_000);
afterAll(async () => {
  clearInterval(watching);
  await machine?.stopAll();
  await operator?.stop();
});

const gateway = (index: number): string =>
  `http://${machine.address(deployment.gateways[index] as string)}:8080`;

async function command(role: string, ...args: string[]): Promise<string> {
  const { code, stdout, log } = await machine.command(role, args);
  expect(code, `${role} ${args.join(' ')}: ${stdout} ${log}`).toBe(0);
  return stdout;
}

async function shards(): Promise<Shard[]> {
  return JSON.parse(await command('lane', 'shards', '--json')) as Shard[];
}

it('takes contributions that players pay, draws and pays wins, and every gateway knows them', async () => {
  const admin = JSON.parse(await command('start', 'admin', 'bootstrap'));
  const system = {
    baseUrl: gateway(0),
    dataDirectory: `${directory}/operator-data`,
    credentials: { admin, wallet_url: operator.walletUrl },
  } as unknown as RunningSystem;
  paying = await PayingOperator.open(system);
  let won = 0;
  for (let n = 0; n < 40; n += 1) {
    const { status, headers } = await paying.client.contribute(
      paying.instance,
      paying.contribution(n % 10, `c-${n}`),
    );
    expect(status).toBe(200);
    if (Number(headers['x-win-amount']) > 0) won += 1;
  }
  expect(won).toBeGreaterThan(0);
  const service = { username: 'payers-service', password: 'a long and good one' };
  for (const [index] of deployment.gateways.entries()) {
    const other = await OperatorClient.login(gateway(index), service);
    const { status } = await other.contribute(paying.instance, paying.contribution(3, 'c-3'));
    expect(status).toBe(204);
  }
  await vi.waitFor(async () => {
    const statements = await paying.statements();
    const count = (type: string): number =>
      statements.filter(({ transaction_type }) => transaction_type === type).length;
    expect([count('Debit'), count('Credit')]).toEqual([40, won]);
  }, patience);
  expect(String((await paying.conservation()).sum)).toBe('0');
});

it('delivers webhooks', async () => {
  const registered = await paying.administrator.call('POST', '/config/webhook-origins', {
    operator_id: payingOwner,
    origin: operator.webhookOrigin,
  });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const secret = {
    operator_id: payingOwner,
    brand_id: payingBrand,
    secret_key: 'at least sixteen characters',
  };
  const signed = await fetch(`${gateway(0)}/v1/webhooks/signature`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(paying.client)}` },
    body: JSON.stringify(secret),
  });
  expect(signed.status, await signed.text()).toBeLessThan(300);
  const callback = { web_hook: `${operator.webhookOrigin}/hook`, win_result_only: false };
  const answer = await paying.client.contribute(paying.instance, {
    ...paying.contribution(1, 'hooked'),
    callback,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await vi.waitUntil(() => operator.webhooks.length > 0, patience);
});

it('sends feeds through its gateways', async () => {
  const socket = new WebSocket(
    `${gateway(0).replace('http', 'ws')}/events/service?token=${tokenOf(paying.client)}`,
  );
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(String(data)));
  await new Promise((done, failed) => socket.once('open', done).once('error', failed));
  socket.send(JSON.stringify({ SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*' }] } }));
  await paying.client.contribute(paying.instance, paying.contribution(2, 'seen'));
  await vi.waitUntil(() => frames.some((frame) => frame.includes('JackpotUpdate')), patience);
  watch();
  socket.terminate();
});

it('moves lanes and drains hosts by command, and replaces an actor host and a nats-server under requests', async () => {
  const hosts = async () => new Set((await shards()).map(({ owner }) => owner));
  await vi.waitUntil(
    async () => (await shards()).every(({ owner, standby_warm }) => owner !== null && standby_warm),
    {
      ...patience,
      interval: 1_000,
    },
  );
  const [first] = await shards();
  await command('lane', 'move', '0', first?.standby as string, '--reason', 'test');
  await command('lane', 'drain', first?.standby as string);
  expect(await hosts()).not.toContain(first?.standby);
  await command('lane', 'drain', first?.standby as string, '--undo');
  await command('lane', 'move', '0', '--undo');

  let sent = 0;
  const failed: unknown[] = [];
  let running = true;
  const traffic = (async () => {
    for (; running; sent += 1) {
      const key = `traffic-${sent}`;
      const { status } = await paying.client.contributeSurely(
        paying.instance,
        paying.contribution(sent % 10, key),
      );
      if (status !== 200 && status !== 204) failed.push(status);
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  const [actors, nats] = [names('actors')[0] as string, names('nats')[1] as string];
  await machine.stop(actors, 'SIGKILL');
  await new Promise((done) => setTimeout(done, 4_000));
  machine.startOne(actors);
  await machine.ready(actors);
  await machine.stop(nats, 'SIGKILL');
  await new Promise((done) => setTimeout(done, 6_000));
  machine.startOne(nats);
  await machine.ready(nats);
  await new Promise((done) => setTimeout(done, 2_000));
  running = false;
  await traffic;
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(20);
  expect(String((await paying.conservation()).sum)).toBe('0');
});

it('is audited, replayed, reconciled and examined by its commands', async () => {
  const audited = await command('replay', 'audit', '--json');
  expect(JSON.parse(audited)).toMatchObject({ verified: true });
  await command('replay', 'replay', paying.instance, '--at', '5');
  await command('replay', 'archive', 'verify');
  await command('audit', 'audit', 'verify');
  expect(await command('audit', 'audit', 'list', '--limit', '100')).toContain('host.drain');
  // A server that was killed has consumers for a while that the others have given up.
  await vi.waitFor(async () => {
    const examined = await machine.command('doctor', ['doctor']);
    expect(examined.code, examined.stdout + examined.log).toBe(0);
  }, patience);
});

it('has made only connections that its rules allow, and met no refusal of a nats-server', async () => {
  const isProbe = ({ from, port }: Connection): boolean => from === 'callers' && [8222, 9090].includes(port);
  const refused = [...connections.values()].filter(
    (each) => !isProbe(each) && !deployment.allows(each.from, each.to, each.port),
  );
  expect(refused).toEqual([]);
  const used = new Set(
    [...connections.values()].map(
      ({ from, to, port }) => `${from.replace(/-\d+.*/, '')} ${to.replace(/-\d+.*/, '')} ${port}`,
    ),
  );
  for (const expected of [
    'gateway nats 4222',
    'actors nats 4222',
    'nats nats 6222',
    'gateway fanout 8081',
    'callers gateway 8080',
    'wallet operator 443',
    'outbox operator 443',
    'storage nats 4222',
  ])
    expect([...used]).toContain(expected);
  for (const { name, program } of deployment.containers) {
    const lines = machine.logOf(name).split('\n');
    const pattern =
      program === 'nats-server' ? /violation|authentication error|TLS.*error/i : /nats_permission_denied/;
    const told = lines.filter((line) => pattern.test(line) && !/route handshake error|EOF/.test(line));
    expect(told, name).toEqual([]);
  }
});

it('keeps what all actor hosts saw of the log in one place', () => {
  const hosts = deployment.containers.filter(({ args }) => args[0] === 'actors');
  const places = hosts.map(
    ({ environment, mounts }) =>
      mounts.find(({ target }) => target === environment.POTSTREAM_WITNESS_DIRECTORY)?.source,
  );
  expect(new Set(places)).toEqual(new Set([expect.any(String)]));
  expect(readdirSync(places[0] as string)).toHaveLength(hosts.length);
});

it('drains on SIGTERM', async () => {
  const codes = await machine.stopAll();
  for (const [name, code] of codes)
    expect([0, 1], `${name}: ${machine.logOf(name).slice(-500)}`).toContain(code);
  for (const role of ['gateway', 'actors', 'fanout', 'wallet', 'outbox', 'reporting', 'storage'])
    for (const name of names(role)) expect(codes.get(name), name).toBe(0);
});

function tokenOf(client: OperatorClient): string {
  return (client as unknown as { token: string }).token;
}
