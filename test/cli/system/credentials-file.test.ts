import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareCredentials, removePassword } from '../../../src/cli/system/credentials-file.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'credentials-'));
  path = join(directory, 'credentials.json');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const addresses = { baseUrl: 'http://127.0.0.1:1', operationsUrl: 'http://127.0.0.1:2' };
const stored = () => JSON.parse(readFileSync(path, 'utf8'));

it('a first start makes a password that later starts keep', () => {
  const first = prepareCredentials(path, addresses);
  const admin = { username: 'admin', password: expect.stringMatching(/^.{32}$/) };
  expect(first).toEqual({ ...admin, isNew: true });
  const later = prepareCredentials(path, { ...addresses, baseUrl: 'http://127.0.0.1:3' });
  expect(later).toEqual({ ...first, isNew: false });
  expect(stored()).toMatchObject({ base_url: 'http://127.0.0.1:3', admin: { password: first!.password } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('a password that was removed is gone from the file and no start makes another', () => {
  const first = prepareCredentials(path, addresses);
  expect(removePassword(path)).toBe(true);
  expect(readFileSync(path, 'utf8')).not.toContain(first!.password);
  expect(prepareCredentials(path, addresses)).toBeNull();
  expect(stored()).toMatchObject({
    base_url: addresses.baseUrl,
    admin: { username: 'admin', password: null },
  });
  expect(removePassword(path)).toBe(false);
});

it('where there is no file, nothing is removed', () => {
  expect(removePassword(path)).toBe(false);
});
