import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../../src/config/settings.ts';
import { createUserKey } from '../../../src/log/base/nkeys.ts';
import { connectBus } from '../../../src/log/jetstream/connect.ts';
import { connectionOptions } from '../../../src/log/jetstream/connection-options.ts';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { logSettings } from '../../../src/wiring.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

/** Certificates of the tests alone, of an authority whose key is gone. */
const file = (name: string): string => resolve(import.meta.dirname, '../../support/tls', name);
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

test('a server that is named by its address shows a certificate for it', async () => {
  const tls = join(directory, 'by-address');
  execFileSync(join(packageRoot, 'deploy/certificates.sh'), [tls, '127.0.0.1'], { stdio: 'ignore' });
  const byAddress = await startNatsServer({
    configuration: [
      `authorization { users: [ { nkey: "${publicKey}" } ] }`,
      `tls { cert_file: "${join(tls, 'server.pem')}", key_file: "${join(tls, 'server.key')}" }`,
    ].join('\n'),
  });
  try {
    const changes = { POTSTREAM_NATS_URL: byAddress.url, POTSTREAM_NATS_CA_FILE: join(tls, 'ca.pem') };
    const bus = await connectBus(
      reach({ ...changes, POTSTREAM_NATS_CERT_FILE: '', POTSTREAM_NATS_KEY_FILE: '' }),
    );
    expect(bus.connected()).toBe(true);
    await bus.close();
  } finally {
    await byAddress.stop();
  }
});

// The client names no server to Node where it has an address alone: Node then says localhost.
test.each([
  ['nats://10.0.0.1:4222,nats://10.0.0.2:4222', 'localhost', 'IP Address:10.0.0.2', true],
  ['nats://10.0.0.1:4222,nats://10.0.0.2:4222', 'localhost', 'IP Address:10.0.0.3', false],
  ['nats://10.0.0.1:4222', 'localhost', 'DNS:localhost', false],
  ['nats://[fd00::1]:4222', 'localhost', 'IP Address:fd00::1', true],
  ['nats://nats-1:4222,nats://10.0.0.2:4222', 'nats-1', 'DNS:nats-1', true],
  ['nats://nats-1:4222,nats://10.0.0.2:4222', 'nats-1', 'IP Address:10.0.0.2', false],
  ['10.0.0.1:4222, 10.0.0.2:4222', 'localhost', 'IP Address:10.0.0.2', true],
  ['nats://nats-1:4222', 'nats-2', 'DNS:nats-1', false],
])('of the servers %s, one called %s with a certificate for %s: %s', (url, name, subjectaltname, isRight) => {
  const { tls } = connectionOptions(reach({ POTSTREAM_NATS_URL: url }), 'bus', { retryMs: (ms) => ms });
  const { checkServerIdentity } = tls as { checkServerIdentity(name: string, certificate: object): unknown };
  const fault = checkServerIdentity(name, { subject: { CN: 'nats-server' }, subjectaltname });
  expect(fault === undefined).toBe(isRight);
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
