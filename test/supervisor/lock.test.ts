import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { identifyProcess, isAlive } from '../../src/runtime/process-identity.ts';
import { acquireLock, lockHolder } from '../../src/supervisor/lock.ts';

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function runDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-lock-'));
  directories.push(directory);
  return directory;
}

test('while its holder lives, nobody else gets the lock; then anybody', () => {
  const directory = runDirectory();
  const lock = acquireLock(directory);
  expect(() => acquireLock(directory)).toThrow(
    expect.objectContaining({ code: 'already_running', message: expect.stringContaining(`${process.pid}`) }),
  );
  lock.release();
  acquireLock(directory).release();
  expect(lockHolder(directory)).toBeNull();
});

test('the lock of a process that was killed counts for nothing', async () => {
  const directory = runDirectory();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const holder = identifyProcess(child.pid ?? 0);
  expect(holder && isAlive(holder)).toBe(true);
  writeFileSync(join(directory, 'up.lock'), JSON.stringify(holder));
  expect(() => acquireLock(directory)).toThrow('already runs');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(holder && isAlive(holder)).toBe(false);
  acquireLock(directory).release();
});

test('a process number that was given to another is not its holder', () => {
  const directory = runDirectory();
  writeFileSync(join(directory, 'up.lock'), JSON.stringify({ pid: process.pid, birth: 'another time' }));
  acquireLock(directory).release();
});

test('a torn lock file is no lock', () => {
  const directory = runDirectory();
  writeFileSync(join(directory, 'up.lock'), '{"pid":');
  acquireLock(directory).release();
});
