import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { connectBus } from '../../src/log/connect.ts';
import { createUserKey } from '../../src/log/nkeys.ts';
import { logSettings } from '../../src/wiring.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

/** Certificates of the tests alone, of an authority whose key is gone. */
const file = (name: string): string => resolve(import.meta.dirname, '../support/tls', name);
const directory = mkdtempSync(join(tmpdir(), 'potstream-tls-'));
const seedFile = join(directory, 'fanout.nk');
const { publicKey, seed } = createUserKey();
let server: TestNatsServer;

beforeAll(async () => {
  writeFileSync(seedFile, `${seed}\n`, { mode: 0o600 });
  server = await startNatsServer({
    configuration: [
      `authorization { users: [ { nkey: "${publicKey}" } ] }`,
      `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ca.pem')}", verify: true }`,
    ].join('\n'),
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const environment = (changes: Readonly<Record<string, string>> = {}) => ({
  POTSTREAM_NATS_URL: server.url,
  POTSTREAM_NATS_NKEY_FILE: seedFile,
  POTSTREAM_NATS_CA_FILE: file('ca.pem'),
  POTSTREAM_NATS_CERT_FILE: file('client.pem'),
  POTSTREAM_NATS_KEY_FILE: file('client.key'),
  ...changes,
});
const reach = (changes?: Readonly<Record<string, string>>) =>
  logSettings(readSettings(environment(changes)), 'fanout');

test('a role with an nkey, over TLS with certificates on both sides, is let in', async () => {
  const bus = await connectBus(reach());
  bus.subscribe('query.0', ({ respond }) => respond(Buffer.from('answer')));
  expect(Buffer.from(await bus.request('query.0', new Uint8Array(), 5000)).toString()).toBe('answer');
  await bus.close();
});

test('another nkey is refused', async () => {
  const stranger = join(directory, 'stranger.nk');
  writeFileSync(stranger, createUserKey().seed, { mode: 0o600 });
  await expect(connectBus(reach({ POTSTREAM_NATS_NKEY_FILE: stranger }))).rejects.toMatchObject({
    code: 'misconfigured',
  });
});

test('a seed that others may read is refused before anybody is asked', async () => {
  const open = join(directory, 'open.nk');
  writeFileSync(open, seed);
  chmodSync(open, 0o644);
  await expect(connectBus(reach({ POTSTREAM_NATS_NKEY_FILE: open }))).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringContaining('0600'),
  });
});

test('a certificate without its key is told by the settings', () => {
  expect(() => readSettings({ POTSTREAM_NATS_CERT_FILE: 'a.pem' })).toThrow('POTSTREAM_NATS_KEY_FILE');
});
