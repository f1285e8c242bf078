import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readNatsAccess } from '../../src/cli/system/nats-access.ts';
import { fnv1a32 } from '../../src/lib/hashes.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import { AdministratorClient, firstStatus, OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const patience = { timeout: 90_000, interval: 200 };
const repository = resolve(import.meta.dirname, '../..');
let data: string;
let system: RunningSystem;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'potstream-lanes-'));
  await start();
});
afterAll(async () => {
  await system?.stop();
  await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function start(): Promise<void> {
  const environment = { POTSTREAM_LANES: '2' };
  system = await startSystem({ args: ['--no-traffic'], dataDirectory: data, environment });
}

/** An Active instance in the lane, in a group of the demo's operator that hashes to it. */
async function instanceIn(lane: number): Promise<string> {
  let group = '';
  for (let n = 0; group === '' || fnv1a32(group) % 2 !== lane; n += 1) group = `demo:group-${n}`;
  const admin = await administrator();
  const made = await admin.call('POST', '/config/instances', {
    template_owner_id: 'demo',
    template_id: 'three-pots',
    owner_id: 'demo',
    name: group,
    group,
  });
  expect(made).toMatchObject({ status: 201 });
  const { id } = made.body as { id: string };
  const activated = await admin.call('POST', `/config/instances/${id}/status`, {
    status: 'Active',
    reason: 'test',
  });
  expect(activated).toMatchObject({ status: 200 });
  return id;
}

function administrator(): Promise<AdministratorClient> {
  return AdministratorClient.login(system.baseUrl, system.credentials.admin);
}

function contribution() {
  const { player_id, token, currency } = system.credentials.players[0]!;
  const player = { token, brand_id: 'demo:main', player_id, player_country: 'DE' };
  return { ...player, base_wager: 1, currency, idempotency_key: randomUUID() };
}

/** The answer to a single try. */
async function contribute(instance: string): Promise<readonly [number, unknown]> {
  const operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  const { status, body } = await operator.contribute(instance, contribution());
  return [status, body?.code ?? null];
}

/** A busy machine may need more than one try. */
async function expectServed(instance: string): Promise<void> {
  const operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  expect(firstStatus(await operator.contributeSurely(instance, contribution()))).toBe(200);
}

async function ask(url: string) {
  const answer = await fetch(url);
  return {
    status: answer.status,
    headers: answer.headers,
    json: (await answer.json()) as { readonly code?: string },
  };
}

/** Bytes that nobody of the service would write, straight into the lane's stream, as who owns a gateway could. */
async function poison(lane: number): Promise<number> {
  const access = readNatsAccess(join(data, 'run'))!;
  const credentials = { kind: 'password', user: 'gateway', password: access.passwords.gateway } as const;
  const log = await connectLog({
    servers: [access.url],
    credentials,
    role: 'gateway',
    replicas: 1,
    name: 'intruder',
  });
  try {
    const result = await log.append(lane, 'batch', new Uint8Array([1, 2, 3, 4, 5, 6, 7]), {
      messageId: 'garbage',
    });
    return (result as { sequence: number }).sequence;
  } finally {
    await log.close();
  }
}

function potstream(...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const environment = { ...process.env, POTSTREAM_DATA: data, POTSTREAM_LANES: '2' };
  return new Promise((done) => {
    execFile(
      process.execPath,
      [join(repository, 'bin/potstream'), 'lane', ...args],
      { env: environment },
      (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), out: `${stdout}${stderr}` }),
    );
  });
}

async function expectOnlyLane0Stopped(stopped: string, serving: string): Promise<void> {
  const degraded = {
    status: 'degraded',
    lanes: [{ lane: 0, condition: 'stopped', code: 'unreadable_message' }],
  };
  for (const url of [system.baseUrl, system.credentials.ops_url]) {
    await vi.waitFor(async () => {
      expect(await ask(`${url}/readyz`)).toMatchObject({ status: 200, json: degraded });
    }, patience);
  }
  await expectServed(serving);
  expect(await contribute(stopped)).toEqual([503, 'instance_unavailable']);
  const ticker = await ask(`${system.baseUrl}/v1/jackpot/instances/${stopped}/ticker`);
  expect([ticker.status, ticker.json.code, ticker.headers.get('retry-after')]).toEqual([
    503,
    'instance_unavailable',
    '60',
  ]);
  const admin = await administrator();
  for (const path of ['', '/winners', '/opt-ins']) {
    const answer = await admin.call('GET', `/config/instances/${stopped}${path}`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'instance_unavailable' } });
  }
  expect(await admin.call('GET', `/config/instances/${serving}`)).toMatchObject({ status: 200 });
}

it('a message of garbage stops its lane only; after a restart too; a quarantine brings it back', async () => {
  const [a, b] = [await instanceIn(0), await instanceIn(1)];
  for (const instance of [a, b]) await expectServed(instance);
  const sequence = await poison(0);
  await expectOnlyLane0Stopped(a, b);

  expect(await system.stop()).toBe(0);
  await start();
  expect(system.output()).toContain('Lane 0 is stopped (unreadable_message)');
  await expectOnlyLane0Stopped(a, b);
  const nowhere = await ask(`${system.baseUrl}/v1/jackpot/instances/nowhere/ticker`);
  expect([nowhere.status, nowhere.json.code]).toEqual([503, 'instance_unavailable']);

  const listed = await potstream('list');
  expect(listed.code).toBe(1);
  expect(listed.out).toContain(`lane 0: stopped (unreadable_message) at message ${sequence}`);
  expect(listed.out).toContain('lane 1: serving');
  const inspected = await potstream('inspect', '0');
  expect(JSON.parse(inspected.out)).toMatchObject({
    lane: 0,
    sequence,
    begins: '01020304050607',
    message: null,
    emitted: false,
    halt: 'unreadable_message',
  });
  const wrong = await potstream('quarantine', '0', '1', '--reason', 'no', '--yes');
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('cannot be refused any more')]);
  const healed = await potstream('quarantine', '0', String(sequence), '--reason', 'garbage', '--yes');
  expect(healed.out).toContain('Lane 0 serves again.');
  expect(healed.code).toBe(0);
  await expectBothServe(a, b);

  await system.kill('actors');
  await system.ready();
  await expectBothServe(a, b);
  expect(JSON.parse((await potstream('inspect', '0', String(sequence))).out)).toMatchObject({
    emitted: true,
    quarantined: { reason: 'garbage' },
  });
});

async function expectBothServe(...instances: readonly string[]): Promise<void> {
  for (const url of [system.baseUrl, system.credentials.ops_url]) {
    await vi.waitFor(async () => {
      expect(await ask(`${url}/readyz`)).toMatchObject({ status: 200, json: { status: 'ok' } });
    }, patience);
  }
  for (const instance of instances) await expectServed(instance);
}
