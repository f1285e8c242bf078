import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { completeCredentials, newSecret, readCredentials } from '../../../tools/demo/credentials.ts';

const demo = {
  service: { username: 'demo-service', password: 'secret' },
  operator_id: 'demo',
  brand_id: 'demo:main',
  wallet_url: null,
  players_of_other_brands: [],
  players: [{ player_id: 'bruno', token: 't', currency: 'EUR' }],
};

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-credentials-'));
  path = join(directory, 'credentials.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('reads nothing while the file is not there', async () => {
  expect(await readCredentials(directory)).toBeNull();
});

it('adds its members, keeps the others, and lets only the owner read', async () => {
  const present = { base_url: 'http://127.0.0.1:1', ops_url: 'x', admin: { username: 'a', password: 'b' } };
  await writeFile(path, JSON.stringify(present), { mode: 0o644 });
  await completeCredentials(directory, demo);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ ...present, ...demo });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('makes secrets that differ and are long enough to be passwords', () => {
  expect(newSecret()).not.toBe(newSecret());
  expect(newSecret().length).toBeGreaterThanOrEqual(32);
});
