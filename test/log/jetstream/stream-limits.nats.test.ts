import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { LogSettings } from '../../../src/log/roles/settings.ts';
import type { Log } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const mebibyte = 1024 * 1024;
const dayMs = 86_400_000;
const nanosPerMs = 1_000_000;

let server: TestNatsServer;
let client: NatsConnection;
const logs: Log[] = [];

beforeAll(async () => {
  server = await startNatsServer();
  client = await connect({ servers: server.url, user: server.user, pass: server.password });
});

afterAll(async () => {
  await Promise.all(logs.map((log) => log.close()));
  await client.close();
  await server.stop();
});

/** Starts on the streams of so many lanes with these settings, as a process does. */
async function start(lanes: number, changes: Partial<LogSettings>): Promise<Log> {
  const { url, user, password } = server;
  const log = await connectLog({ servers: [url], user, password, replicas: 1, ...changes });
  logs.push(log);
  await log.prepare(lanes);
  return log;
}

async function limitsOf(stream: string): Promise<{ bytes: number; days: number; stored: number }> {
  const manager = await jetstreamManager(client);
  const { config, state } = await manager.streams.info(stream);
  return {
    bytes: config.max_bytes,
    days: config.max_age / nanosPerMs / dayMs,
    stored: state.messages,
  };
}

async function fill(log: Log, lane: number, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const messageId = `fill ${lane} ${index}`;
    await log.append(lane, 'batch', new Uint8Array(200 * 1024), { messageId, timeoutMs: 60_000 });
  }
}

it('makes streams of the sizes and ages that are asked for', async () => {
  await start(1, {
    maxStreamBytes: 8 * mebibyte,
    maxOutcomeBytes: 16 * mebibyte,
    maxStreamAgeMs: 3 * dayMs,
    maxAuditBytes: 4 * mebibyte,
    maxAuditAgeMs: 400 * dayMs,
  });
  expect(await limitsOf('CMD_0')).toMatchObject({ bytes: 8 * mebibyte, days: 3 });
  expect(await limitsOf('OUT_0')).toMatchObject({ bytes: 16 * mebibyte, days: 3 });
  expect(await limitsOf('AUDIT')).toMatchObject({ bytes: 4 * mebibyte, days: 400 });
});

it('lets streams that are there follow a wider setting, and keeps what is stored', async () => {
  const log = await start(1, { maxStreamBytes: 8 * mebibyte });
  await fill(log, 0, 6);
  await start(1, { maxStreamBytes: 32 * mebibyte, maxStreamAgeMs: 50 * dayMs, maxAuditAgeMs: 500 * dayMs });
  expect(await limitsOf('CMD_0')).toEqual({ bytes: 32 * mebibyte, days: 50, stored: 6 });
  expect(await limitsOf('OUT_0')).toMatchObject({ bytes: 32 * mebibyte, days: 50 });
  expect(await limitsOf('AUDIT')).toMatchObject({ bytes: 4 * mebibyte, days: 500 });
});

it('leaves what was widened by hand alone where no setting says otherwise', async () => {
  const manager = await jetstreamManager(client);
  await manager.streams.update('CMD_0', { max_bytes: 48 * mebibyte, max_age: 60 * dayMs * nanosPerMs });
  await start(1, {});
  expect(await limitsOf('CMD_0')).toMatchObject({ bytes: 48 * mebibyte, days: 60 });
});

it('narrows a stream only as far as nothing that is stored is in question', async () => {
  const before = await limitsOf('CMD_0');
  const narrow = start(1, { maxStreamBytes: mebibyte });
  await expect(narrow).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringMatching(/CMD_0 holds 1\.2 MiB.*not be limited to 1\.0 MiB/),
  });
  expect(await limitsOf('CMD_0')).toEqual(before);
  await start(1, { maxStreamBytes: 4 * mebibyte });
  expect(await limitsOf('CMD_0')).toMatchObject({ bytes: 4 * mebibyte, stored: 6 });
});

it('refuses an age that would drop what is stored', async () => {
  await expect(start(1, { maxStreamAgeMs: 1 })).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringContaining('CMD_0 holds messages of '),
  });
  expect(await limitsOf('CMD_0')).toMatchObject({ days: 60, stored: 6 });
});

it('asks the server for the age of what is stored, whatever the clock here says', async () => {
  const hereMs = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(hereMs + 100 * dayMs);
  await start(1, { maxStreamAgeMs: 40 * dayMs });
  clock.mockRestore();
  expect(await limitsOf('CMD_0')).toMatchObject({ days: 40, stored: 6 });
});

it('says clearly where the server has no room for what is asked for', async () => {
  const beyond = { maxStreamBytes: 2 * 1024 ** 5 };
  const message = expect.stringMatching(/(CMD_0|CMD_1) .*2048\.0 TiB.*max_file_store/);
  await expect(start(1, beyond)).rejects.toMatchObject({ code: 'misconfigured', message });
  await expect(start(2, { ...beyond, maxStreamBytes: 2 * 1024 ** 5 })).rejects.toMatchObject({
    code: 'misconfigured',
    message,
  });
});
