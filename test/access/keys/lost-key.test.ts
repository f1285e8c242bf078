import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Access, openAccess } from '../../../src/access/access.ts';
import { openBrandWallets } from '../../../src/access/keys/brand-wallets.ts';
import { openWebhookSecrets } from '../../../src/access/keys/webhook-secrets.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

let keysDirectory: string;
let table: ReturnType<typeof memoryTable>;
const opened: Access[] = [];

const clock = { nowMs: () => 1_700_000_000_000, elapsedMs: () => 1_700_000_000_000, after: () => () => {} };
const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const open = async (newKeys = false): Promise<Access> => {
  const access = await openAccess(table, { clock, random, keysDirectory, newKeys });
  opened.push(access);
  return access;
};
const keyFile = () => join(keysDirectory, 'accounts.key');
const user = { username: 'till', password: 'right password', operator: 'acme', brands: null };

beforeEach(() => {
  keysDirectory = mkdtempSync(join(tmpdir(), 'potstream-test-lost-key-'));
  table = memoryTable();
});
afterEach(async () => {
  for (const access of opened.splice(0)) await access.stop();
  rmSync(keysDirectory, { recursive: true, force: true });
});

it('a new system makes its key, and opens with it again', async () => {
  await open();
  expect(existsSync(keyFile())).toBe(true);
  await open();
});

it.each([
  ['roles with log-ins', () => open()],
  ['the wallet role', () => openBrandWallets(table, { random, keysDirectory })],
  ['roles that sign', () => openWebhookSecrets(table, { random, keysDirectory })],
])('no other key is made where the one is gone that secrets are sealed under: %s', async (_, start) => {
  await open();
  rmSync(keyFile());
  await expect(start()).rejects.toMatchObject({
    code: 'seal_key_invalid',
    message: expect.stringMatching(/accounts\.key is missing, but 1 entries .*backup.*POTSTREAM_NEW_KEYS=1/),
  });
  expect(existsSync(keyFile())).toBe(false);
});

it('another key than the one that secrets are sealed under is refused', async () => {
  await open();
  writeFileSync(keyFile(), 'ab'.repeat(32), { mode: 0o600 });
  await expect(open()).rejects.toThrow(/accounts\.key is not the key/);
});

it('starts without on demand: log-ins go on, and older tokens stay good', async () => {
  const first = await open();
  const account = (await first.createServiceUser(user))!;
  const earlier = await first.tokens.issueService(account);
  renameSync(keyFile(), `${keyFile()}.lost`);
  const second = await open(true);
  const login = await second.loginService({ ...user, address: '10.0.0.1' });
  expect(login.kind).toBe('token');
  expect(await second.tokens.verifyService(earlier, 'operator')).toMatchObject({ operator: 'acme' });
  expect(second.jwks().keys).toHaveLength(2);
  // From then on the new key is the system's.
  await open();
});
