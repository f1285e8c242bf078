import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { identifyProcess, isAlive, type ProcessIdentity } from '../../src/runtime/process-identity.ts';
import { endLeftovers, readRunRecord } from '../../src/runtime/run-record.ts';

const patienceMs = 60_000;
/** The parent and its children are real processes, so what they run is bundled first. */
const directory = mkdtempSync(join(tmpdir(), 'potstream-parent-'));
const bundle = join(directory, 'supervisor.mjs');
const started: ChildProcess[] = [];

const parentScript = `
  import { spawn } from 'node:child_process';
  const { writeRunRecord } = await import(process.argv[2]);
  const [, , bundle, runDirectory, childScript] = process.argv;
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
  const role = spawn(process.execPath, ['--input-type=module', '-e', childScript, bundle, runDirectory], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true,
  });
  role.on('message', () => {
    writeRunRecord(runDirectory, [{ name: 'nats-server', pid: server.pid }, { name: 'role', pid: role.pid }]);
    process.stdout.write('up');
  });
`;
const obedientRole = `
  const { endWithParent } = await import(process.argv[1]);
  endWithParent(process.argv[2], async () => {});
  process.on('message', () => {});
  process.send('up');
`;
/** It never drains: the watch ends it all the same. */
const hangingRole = obedientRole.replace('async () => {}', '() => new Promise(() => {})');
/** Its modules took so long to load that nobody was there when it began to watch. */
const lateRole = `
  const { endWithParent } = await import(process.argv[1]);
  process.on('message', () => {});
  process.send('up');
  while (process.connected) await new Promise((resolve) => setTimeout(resolve, 10));
  setInterval(() => {}, 1000);
  endWithParent(process.argv[2], async () => {});
`;
const deafRole = `process.send('up'); process.on('disconnect', () => {}); setInterval(() => {}, 1000);`;

beforeAll(async () => {
  await build({
    logLevel: 'silent',
    configFile: false,
    build: {
      ssr: resolve(import.meta.dirname, 'support/runtime-entry.ts'),
      outDir: directory,
      rollupOptions: { output: { entryFileNames: 'supervisor.mjs' } },
    },
  });
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function startParent(role: string) {
  const runDirectory = mkdtempSync(join(directory, 'run-'));
  const parent = spawn(
    process.execPath,
    ['--input-type=module', '-e', parentScript, '-', bundle, runDirectory, role],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  started.push(parent);
  await new Promise((settle) => parent.stdout.once('data', settle));
  const record = readRunRecord(runDirectory);
  const processes = (record?.children ?? []).map((child) => child.process);
  expect(processes).toHaveLength(2);
  expect(processes.every(isAlive)).toBe(true);
  return { parent, runDirectory, processes };
}

const allEnded = (processes: readonly ProcessIdentity[]) => () =>
  expect(processes.filter(isAlive)).toEqual([]);

test.each([
  ['drains', obedientRole],
  ['never drains', hangingRole],
  ['had not begun to watch', lateRole],
])('when the parent is killed, a role that %s ends, and so does the server', async (_how, role) => {
  const { parent, processes } = await startParent(role);
  parent.kill('SIGKILL');
  await vi.waitFor(allEnded(processes), patienceMs);
});

test('who does not end is ended by the next start', async () => {
  const { parent, runDirectory, processes } = await startParent(deafRole);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(identifyProcess(parent.pid ?? 0)).toBeNull(), patienceMs);
  expect(await endLeftovers(runDirectory)).toBe(2);
  allEnded(processes)();
});

test('with nothing left behind there is nothing to wait for', async () => {
  expect(await endLeftovers(mkdtempSync(join(directory, 'run-')))).toBe(0);
});
