import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followRestart } from '../../src/cli/restart/in-turn.ts';
import { readSettings } from '../../src/config/settings.ts';
import { identifyProcess } from '../../src/runtime/process-identity.ts';

let directory: string;
let up: ChildProcess | undefined;
let printed: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-restart-'));
  mkdirSync(join(directory, 'run'));
  printed = [];
});
afterEach(async () => {
  if (up !== undefined && up.exitCode === null && up.signalCode === null) {
    up.kill('SIGKILL');
    await once(up, 'exit');
  }
  up = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** A process with the lock of `up`, which does `onSignal` at SIGUSR2. `record`: what it has written before. */
async function startUp(onSignal: string, record: object | null): Promise<void> {
  const path = join(directory, 'run/restart-gateways.json');
  const script = `
    const { renameSync, writeFileSync } = require('node:fs');
    const write = (record) => {
      writeFileSync('${path}.new', JSON.stringify({ ...before, ...record }));
      renameSync('${path}.new', '${path}');
    };
    let before;
    process.on('message', (message) => { before = message; });
    process.on('SIGUSR2', () => { ${onSignal} });
    process.send('listens');
  `;
  up = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(up, 'message');
  const identity = identifyProcess(up.pid as number);
  writeFileSync(join(directory, 'run/up.lock'), JSON.stringify(identity));
  if (record === null) return;
  const stored = { up: identity, restarted: [], reason: null, ...record };
  up.send(stored);
  writeFileSync(path, JSON.stringify(stored));
}

const restart = () =>
  followRestart(readSettings({ POTSTREAM_DATA: directory }), 'gateways', (line) => printed.push(line));

it('says that nothing runs', async () => {
  expect(await restart()).toBe(1);
  expect(printed).toEqual([`No "potstream up" runs on ${directory}.`]);
});

it('sends no signal to one that would end at it', async () => {
  await startUp('process.exit(3)', null);
  expect(await restart()).toBe(1);
  expect(printed[0]).toContain('it still starts, or is of an earlier release');
  expect(up?.exitCode).toBeNull();
});

it('follows a restart to its end', async () => {
  const steps = `write({ number: 3, state: 'running', restarted: ['gateway'] });
    setTimeout(() => write({ number: 3, state: 'done', restarted: ['gateway', 'gateway-2'] }), 300);`;
  await startUp(steps, { number: 2, state: 'failed', reason: 'an earlier one' });
  expect(await restart()).toBe(0);
  expect(printed).toEqual(['gateway restarted.', 'gateway-2 restarted.']);
});

it('fails with the reason of one that fails', async () => {
  await startUp(`write({ number: 1, state: 'failed', reason: 'There is one gateway.' });`, {
    number: 0,
    state: 'none',
  });
  expect(await restart()).toBe(1);
  expect(printed).toEqual(['There is one gateway.']);
});

it('notices that "up" ends meanwhile', async () => {
  await startUp('process.exit(3)', { number: 0, state: 'none' });
  expect(await restart()).toBe(1);
  expect(printed).toEqual(['The "potstream up" ended meanwhile.']);
});
