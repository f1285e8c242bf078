import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partStream } from '../../../src/log/base/names.ts';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import type { Log, StoredOutcome } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const routing = { wallet: false, hooks: false, events: true };
let server: TestNatsServer;
let log: Log;
beforeAll(async () => {
  server = await startNatsServer();
  log = await open();
  await log.prepare(6);
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

function open(): Promise<Log> {
  const { url, user, password } = server;
  return connectLog({ servers: [url], user, password, replicas: 1, maxStreamBytes: 64 * 1024 * 1024 });
}

const record = (length: number, fill: number) => new Uint8Array(length).fill(fill);

async function withServer<T>(
  work: (ask: (subject: string, body?: string) => Promise<unknown>) => Promise<T>,
) {
  const nats = await connect({ servers: server.url, user: server.user, pass: server.password });
  try {
    return await work(async (subject, body = '') =>
      (await nats.request(subject, body, { timeout: 60_000 })).json(),
    );
  } finally {
    await nats.close();
  }
}

it('keeps the order of large and small records that are on their way together', async () => {
  const records = [record(900_000, 1), record(1, 2), record(300_000, 3), record(1, 4)];
  const results = records.map((bytes, index) => log.appendOutcome(0, index + 1, routing, bytes));
  const kinds = (await Promise.all(results)).map(({ kind }) => kind);
  expect(kinds).toEqual(['stored', 'stored', 'stored', 'stored']);
});

it('stores each part once, however often and by whomever a record is tried', async () => {
  const other = await open();
  const bytes = record(500_000, 9);
  await Promise.allSettled([log, other, log].map((each) => each.appendOutcome(1, 1, routing, bytes)));
  const fill = (await log.fill(1)).find(({ stream }) => stream === partStream(1))!;
  expect(fill.bytes).toBeLessThan(600_000);
  expect((await other.readOutcome(1, 1))!.bytes).toEqual(bytes);
  await other.close();
});

it('makes the parts of a system that was created without them', async () => {
  await withServer(async (ask) => expect(await ask(`$JS.API.STREAM.DELETE.${partStream(2)}`)).toBeTruthy());
  const newer = await open();
  await newer.prepare(6);
  expect(await newer.appendOutcome(2, 1, routing, record(400_000, 5))).toMatchObject({ kind: 'stored' });
  await newer.close();
});

it('a record whose parts have left the log is gone like one that has left OUT, and nobody follows past it', async () => {
  await log.appendOutcome(3, 1, routing, record(400_000, 6));
  await log.appendOutcome(3, 2, routing, record(1, 7));
  await withServer((ask) => ask(`$JS.API.STREAM.DELETE.${partStream(3)}`));
  await log.prepare(6);
  expect(await log.readOutcome(3, 1)).toBeNull();
  const seen: number[] = [];
  const follower = log.followOutcomes(3, 1, {}, { message: ({ sequence }) => void seen.push(sequence) });
  await expect(follower.done).rejects.toMatchObject({ code: 'hole' });
  expect(seen).toEqual([]);
});

it('a follower gets a large record once the server is back, and nothing before it', async () => {
  await log.appendOutcome(4, 1, routing, record(1, 1));
  const seen: StoredOutcome[] = [];
  const follower = log.followOutcomes(4, 1, {}, { message: (each) => void seen.push(each) });
  const writing = await open();
  await writing.appendOutcome(4, 2, routing, record(3_000_000, 8));
  await writing.appendOutcome(4, 3, routing, record(1, 3));
  await server.kill();
  await writing.close();
  await server.restart();
  while (seen.length < 3) await delay(20);
  await follower.stop();
  expect(seen.map(({ sequence, bytes }) => [sequence, bytes.length])).toEqual([
    [1, 1],
    [2, 3_000_000],
    [3, 1],
  ]);
});
