import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { isAlive } from '../../src/runtime/process-identity.ts';
import { readRunRecord } from '../../src/runtime/run-record.ts';
import { freePortNear } from '../../src/supervisor/free-port.ts';
import { alertRules, dashboardExpressions, metricsOf } from '../deploy/monitoring.ts';
import { mayBeSkipped, runTool } from '../support/deploy-tools.ts';
import { natsServerPath } from '../support/nats-server.ts';
import { judged, logIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** `potstream` as a person meets it at the terminal: what it says, and the exit codes it documents. */

const patienceMs = 120_000;
/** Metrics lack a role that is too busy to answer at once. */
const scrapes = { timeout: patienceMs, interval: 500 };
const repository = resolve(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'potstream-cli-'));
const started: ChildProcess[] = [];
let system: RunningSystem;

beforeAll(async () => {
  // Builds as well, so that what follows can run the built program.
  system = await startSystem({
    args: ['--no-demo'],
    dataDirectory: join(directory, 'data'),
    environment: { POTSTREAM_REPORTING: 'on' },
  });
}, 300_000);

afterAll(async () => {
  await system.stop();
  for (const child of started) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

function potstream(commandArguments: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(repository, 'bin/potstream'), ...commandArguments], {
    env: { ...process.env, POTSTREAM_DATA: join(directory, 'other'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  return { child, said };
}

async function toItsEnd(commandArguments: readonly string[], environment: Record<string, string> = {}) {
  const { child, said } = potstream(commandArguments, environment);
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...said };
}

test('help is an answer; an unknown command and a wrong setting are wrong usage', async () => {
  expect(await toItsEnd(['--help'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await toItsEnd(['nonsense'])).toMatchObject({ exitCode: 2, stdout: '' });
  const wrong = await toItsEnd(['up'], { POTSTREAM_PORT: 'http' });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('POTSTREAM_PORT') });
});

test('a second start on the same data is refused and disturbs nothing', async () => {
  const before = await system.processes();
  const second = await toItsEnd(['up'], { POTSTREAM_DATA: system.dataDirectory });
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toMatch(/already runs on this data directory[\s\S]*\(already_running\)\n$/);
  expect(await system.processes()).toEqual(before);
});

test('an old nats-server and one that is missing are told in a paragraph', async () => {
  const old = join(directory, 'nats-server');
  writeFileSync(old, '#!/bin/sh\necho "nats-server: v2.10.29"\n');
  chmodSync(old, 0o755);
  const withOld = await toItsEnd(['up'], { POTSTREAM_NATS_SERVER: old });
  expect(withOld).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/2\.10\.29.*>= 2\.15 < 3/) });
  const without = await toItsEnd(['up'], { POTSTREAM_NATS_SERVER: join(directory, 'nothing') });
  expect(without).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/POTSTREAM_NATS_SERVER.*unset it/),
  });
});

test('the demo is refused where others reach it', async () => {
  const exposed = await toItsEnd(['up'], { POTSTREAM_HOST: '0.0.0.0' });
  expect(exposed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--public-demo') });
});

test('a host that this machine does not have is told', async () => {
  const elsewhere = await toItsEnd(['up', '--no-demo'], { POTSTREAM_HOST: '203.0.113.9' });
  expect(elsewhere).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/does not have.*POTSTREAM_HOST/),
  });
});

// Each of these waits for processes of its own.
test.concurrent('an outage is told in words, without a stack', async () => {
  const environment = { POTSTREAM_NATS_URL: 'nats://127.0.0.1:1' };
  const nobody = await toItsEnd(['admin', 'bootstrap'], environment);
  expect(nobody).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('POTSTREAM_NATS_URL'),
  });
  expect(nobody.stderr).not.toContain('    at ');
});

test.concurrent('a data directory that cannot be written to is told', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  const unusable = await toItsEnd(['up'], { POTSTREAM_DATA: join(file, 'data') });
  expect(unusable).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('POTSTREAM_DATA') });
});

test.concurrent('a nats-server that does not sync is refused, and nothing of the start is left', async () => {
  const path = join(directory, 'careless-nats-server');
  const real = await natsServerPath();
  // A real server whose configuration is changed on its way: it syncs now and then.
  writeFileSync(
    path,
    `#!/bin/sh\nif [ "$1" = -c ]; then sed -i 's/sync_interval: always/sync_interval: "2m"/' "$2"; fi\nexec "${real}" "$@"\n`,
  );
  chmodSync(path, 0o755);
  const data = join(directory, 'careless');
  const refused = await toItsEnd(['up', '--no-demo'], { POTSTREAM_NATS_SERVER: path, POTSTREAM_DATA: data });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('--insecure-durability');
  const children = readRunRecord(join(data, 'run'))?.children ?? [];
  expect(children.filter((child) => isAlive(child.process))).toEqual([]);
});

test.concurrent('a taken port: another is used, and said; killed, it goes on, and its feeds end with 1001', async () => {
  // Above the ports that connections get: one of them may have the next port as its own.
  const taken = await freePortNear(randomInt(62_000, 65_000), '127.0.0.1');
  const blocker = createServer().listen(taken, '127.0.0.1');
  await once(blocker, 'listening');
  const data = join(directory, 'moved');
  const environment = {
    POTSTREAM_DATA: data,
    POTSTREAM_PORT: String(taken),
    POTSTREAM_OPERATIONS_PORT: String(taken),
  };
  const first = potstream(['up', '--no-demo'], environment);
  const baseUrl = () => JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')).base_url as string;
  // What it said is in the failure, should it not come.
  await vi.waitFor(() => expect(first.said.stderr).toContain('Potstream runs.'), patienceMs);
  expect((await fetch(`${baseUrl()}/readyz`)).status).toBe(200);
  for (const variable of ['POTSTREAM_PORT', 'POTSTREAM_OPERATIONS_PORT'])
    expect(first.said.stderr).toMatch(
      new RegExp(`Port ${taken} is taken, so \\d+ is used .*\\(${variable} `),
    );
  expect(baseUrl()).not.toContain(`:${taken}`);

  const children = readRunRecord(join(data, 'run'))?.children.map((child) => child.process) ?? [];
  expect(children).toHaveLength(7);
  first.child.kill('SIGKILL');
  await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), patienceMs);
  // Damage that the start mends, and tells.
  rmSync(join(data, 'nats/jetstream/$G/streams/CMD_1/meta.inf'));
  const second = potstream(['up', '--no-demo'], environment);
  await vi.waitFor(() => expect(second.said.stderr).toContain('Potstream runs.'), patienceMs);
  expect(second.said.stderr).toContain('cannot read the description of the stream CMD_1');
  const feed = new WebSocket(`${baseUrl().replace('http', 'ws')}/v1/jackpot/status`);
  await once(feed, 'open');
  const closed = once(feed, 'close');
  second.child.kill('SIGINT');
  expect((await once(second.child, 'exit'))[0]).toBe(0);
  expect((await closed)[0]).toBe(1001);
  blocker.close();
}, 300_000);

test('the operations port has the probes, and the metrics of every role', async () => {
  const { ops_url: operationsUrl } = system.credentials;
  await vi.waitFor(async () => expect((await fetch(`${operationsUrl}/readyz`)).status).toBe(200), patienceMs);
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
    for (const role of ['actors', 'gateway', 'fanout', 'wallet', 'outbox', 'reporting'])
      expect(metrics).toContain(`role="${role}"`);
    expect(metrics).toContain('potstream_child_ready{role="up",child="nats-server"} 1');
  }, scrapes);
});

test('each metric that alerts and the dashboard read is one of a running system', async () => {
  const expressions = [...alertRules().map(({ expr }) => expr), ...dashboardExpressions()];
  const read = new Set(expressions.flatMap(metricsOf));
  // Prometheus makes it of each scrape.
  read.delete('up');
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${system.credentials.ops_url}/metrics`)).text();
    const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));
    const names = types.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    expect([...read].filter((name) => !names.includes(name))).toEqual([]);
  }, scrapes);
});

test('the administrator can be made once only', async () => {
  const again = await toItsEnd(['admin', 'bootstrap', '--username', 'second'], {
    POTSTREAM_DATA: system.dataDirectory,
  });
  expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('already') });
});

test('a lost password of an administrator is replaced from the command line', async () => {
  const environment = { POTSTREAM_DATA: system.dataDirectory };
  const { base_url: baseUrl, admin } = system.credentials;
  const login = async (credentials: object): Promise<number> =>
    (await judged(() => logIn(`${baseUrl}/auth/admin`, credentials))).status;
  expect(await login(admin)).toBe(200);
  const unknown = await toItsEnd(['admin', 'reset-password', 'nobody'], environment);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('no such') });
  const none = await toItsEnd(['admin', 'reset-second-factor', admin.username], environment);
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no second factor') });
  const reset = await toItsEnd(['admin', 'reset-password', admin.username], environment);
  expect(reset.exitCode, reset.stderr).toBe(0);
  const trail = await toItsEnd(['audit', 'list', '--json'], environment);
  const entries = trail.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const ofCommands = entries.filter(({ operation }) => operation.startsWith('admin.'));
  const object = `administrator ${admin.username}`;
  const after = { roles: expect.arrayContaining(['security']), password_hash: '***', enabled: true };
  expect(ofCommands).toEqual([
    expect.objectContaining({
      operation: 'admin.reset-password',
      outcome: 'applied',
      user: expect.stringContaining('@'),
      owners: [''],
      changes: [{ object, before: expect.objectContaining(after), after: expect.objectContaining(after) }],
    }),
    expect.objectContaining({
      operation: 'admin.reset-second-factor',
      outcome: 'refused',
      code: 'no_second_factor',
    }),
    expect.objectContaining({
      operation: 'admin.bootstrap',
      outcome: 'applied',
      changes: [{ object, before: null, after: expect.objectContaining(after) }],
    }),
  ]);
  expect(trail.stdout).not.toContain(JSON.parse(reset.stdout).password);
  expect((await toItsEnd(['audit', 'verify'], environment)).exitCode).toBe(0);
  const fresh = JSON.parse(reset.stdout);
  expect(fresh.username).toBe(admin.username);
  await vi.waitFor(async () => expect(await login(fresh)).toBe(200), patienceMs);
  expect(await login(admin)).toBe(401);
}, 300_000);

test.skipIf(mayBeSkipped('promtool'))("promtool takes each role's metrics without a remark", async () => {
  const children = readRunRecord(join(system.dataDirectory, 'run'))!.children;
  const ports = children.flatMap(({ name, operationsPort = null }) =>
    operationsPort === null ? [] : [[name, `http://127.0.0.1:${operationsPort}`] as const],
  );
  expect(ports.map(([name]) => name)).toEqual(
    expect.arrayContaining(['actors', 'fanout', 'gateway', 'outbox', 'reporting', 'wallet']),
  );
  for (const [name, url] of [...ports, ['up', system.credentials.ops_url] as const]) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const said = runTool('promtool', ['check', 'metrics'], metrics);
    expect({ name, ...said }).toEqual({ name, status: 0, stdout: '', stderr: '' });
  }
});

test('doctor finds this machine good, in words and as JSON', async () => {
  const words = await toItsEnd(['doctor'], { POTSTREAM_DATA: system.dataDirectory });
  expect(words.exitCode, words.stdout).toBe(0);
  const { host } = new URL(system.baseUrl);
  expect(words.stdout).toMatch(new RegExp(`ports: gateway listens at ${host}, operations listens at `));
  expect(words.stdout).toContain('every message is synced');
  const miscounted = await toItsEnd(['doctor'], {
    POTSTREAM_DATA: system.dataDirectory,
    POTSTREAM_LANES: '7',
  });
  expect(miscounted.stdout).toMatch(/this system has \d+ lanes, but POTSTREAM_LANES is 7 here/);
  expect(words.stdout).toContain("and nats-server's agrees");
  expect(words.stdout).toMatch(/running nats-server: 2\.\d+\.\d+ \(http:/);
  const { stdout } = await toItsEnd(['doctor', '--json']);
  const findings = JSON.parse(stdout) as { check: string; ok: boolean }[];
  expect(findings.map((finding) => finding.check)).toEqual([
    'node',
    'data directory',
    'disk',
    'C library',
    'websocket engine',
    'nats-server',
    'running nats-server',
    'durability',
    'room',
    'clock',
    'lanes',
    'ports',
    'processes',
    'log',
    'epoch seeds',
  ]);
  const broken = await toItsEnd(['doctor'], { POTSTREAM_NATS_SERVER: join(directory, 'nothing') });
  expect(broken).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('PROBLEM') });
});
