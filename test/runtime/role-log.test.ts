import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openRoleLog, outliveLostLines } from '../../src/runtime/role-log.ts';

/** Every write to it fails as on a full disk. */
const full = '/dev/full';

test.skipIf(!existsSync(full))('a log on a full disk loses lines, and nothing else happens', () => {
  // Stays open: pino still holds its number, and would write what is left into whatever file gets it next.
  const log = openRoleLog('gateway', 'info', openSync(full, 'w'));
  for (let line = 0; line < 3; line += 1) expect(() => log.error('lost')).not.toThrow();
});

test('a line on standard error that is lost does not end the process', () => {
  const before = process.stderr.listeners('error');
  outliveLostLines();
  const added = process.stderr.listeners('error').filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) {
    expect(() => listener(new Error('ENOSPC'))).not.toThrow();
    process.stderr.off('error', listener as () => void);
  }
});

test('a line tells when, how grave, and whose it is', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-log-'));
  const path = join(directory, 'role.log');
  try {
    openRoleLog('actors', 'info', openSync(path, 'a')).error({ lane: 3, code: 'hole' }, 'Gone.');
    const line = await vi.waitFor(() => JSON.parse(readFileSync(path, 'utf8')), 10_000);
    expect(line).toMatchObject({ level: 'error', role: 'actors', lane: 3, code: 'hole', msg: 'Gone.' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
