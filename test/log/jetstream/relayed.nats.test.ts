import { setTimeout as delay } from 'node:timers/promises';
import { headers, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectLog, connectOwner } from '../../../src/log/jetstream/connect.ts';
import type { Heartbeat } from '../../../src/messages/bus-messages.ts';
import { decodeHeartbeat, encodeHeartbeat } from '../../../src/messages/codec/codec.ts';
import type { Bus, Log, StoredCommand } from '../../../src/ports.ts';
import { makeSystem } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

/**
 * nats-server answers and delivers to whatever subject its asker names, and does not ask whether the asker may publish there. So a
 * gateway lets it write what it may not write itself, and we must see that (docs/decisions/0086).
 */

const lane = 0;
const patienceMs = 60_000;
const patience = { timeout: patienceMs };
let server: TestNatsServer;
let log: Log;
let bus: Bus;
let gateway: NatsConnection;
const bytes = (text: string): Uint8Array => Buffer.from(text);

beforeAll(async () => {
  server = await startNatsServer();
  await makeSystem(server, 2);
  const credentials = { kind: 'password', user: 'actors', password: 'actors' } as const;
  ({ log, bus } = await connectOwner({ servers: [server.url], credentials, role: 'actors', replicas: 1 }));
  gateway = await connect({
    servers: server.url,
    user: 'gateway',
    pass: 'gateway',
    inboxPrefix: '_INBOX.gateway',
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([log.close(), bus.close()]);
  await server.stop();
});

/** The gateway stores a value where it may, and lets the server send it to where it may not. */
async function relay(subject: string, text = 'forged'): Promise<void> {
  const stored = await gateway.request(`$KV.DIRECTORY.a${Math.random().toString(36).slice(2)}`, text, {
    timeout: patienceMs,
  });
  const { seq } = stored.json<{ seq: number }>();
  gateway.publish('$JS.API.DIRECT.GET.KV_DIRECTORY', JSON.stringify({ seq }), { reply: subject });
  await deliver('KV_DIRECTORY', '$KV.DIRECTORY.>', seq, subject);
}

/** The server has the bus' subscriptions before what it answers behind them: it shares a connection with the records. */
async function subscribed(): Promise<void> {
  await log.lastOutcome(lane);
}

async function deliver(stream: string, filter: string, from: number, subject: string): Promise<void> {
  const name = `c${Math.random().toString(36).slice(2)}`;
  const config = {
    name,
    filter_subject: filter,
    ack_policy: 'none',
    mem_storage: true,
    deliver_policy: 'by_start_sequence',
    opt_start_seq: from,
  };
  const request = JSON.stringify({ stream_name: stream, action: 'create', config });
  await gateway.request(`$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`, request, {
    timeout: patienceMs,
  });
  gateway.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, '{"batch":1}', { reply: subject });
  await gateway.flush();
  await delay(200);
}

test('what it lets the server store as control is no more than a batch of its own', async () => {
  for (const channel of ['own', 'ctl']) await relay(`cmd.${lane}.${channel}`);
  // The server stores them in its own time.
  await expect.poll(() => log.lastCommand(lane), patience).toBe(4);
  // What a consumer delivered was stored under its old subject: followers learn of it from the next message.
  await log.append(lane, 'control', bytes('ours'), { messageId: 'ours' });
  const last = await log.lastCommand(lane);
  expect(last).toBe(5);
  const followed: StoredCommand[] = [];
  const follower = log.follow(lane, 1, { message: (stored) => void followed.push(stored) });
  while (followed.length < last) await delay(20);
  await follower.stop();
  expect(followed.map(({ channel }) => channel)).toEqual(['batch', 'batch', 'batch', 'batch', 'control']);
  for (const { sequence, channel } of followed)
    expect(await log.readCommand(lane, sequence)).toMatchObject({ channel, sequence });
});

test("headers of a batch do not pass for the server's own", async () => {
  const forged = headers();
  forged.set('Nats-Subject', `cmd.${lane}.ctl`);
  forged.set('Nats-Sequence', '77');
  forged.set('Nats-Time-Stamp', '2036-01-01T00:00:00Z');
  const { seq } = (
    await gateway.request(`cmd.${lane}.b`, 'x', { headers: forged, timeout: patienceMs })
  ).json<{
    seq: number;
  }>();
  const read = await log.readCommand(lane, seq);
  expect(read).toMatchObject({ channel: 'batch', sequence: seq });
  expect(Math.abs((read?.timestampMs ?? 0) - Date.now())).toBeLessThan(3_600_000);
});

test('a record that nobody wrote who may is damage, and no outcome', async () => {
  await relay('out.1.w.-.e');
  await expect.poll(() => log.lastOutcome(1), patience).toBe(2);
  for (const sequence of [1, 2])
    await expect(log.readOutcome(1, sequence)).rejects.toMatchObject({ code: 'corrupt' });
  const follower = log.followOutcomes(1, 1, {}, { message: () => {} });
  await expect(follower.done).rejects.toMatchObject({ code: 'corrupt' });
});

test('on the bus it is heard by nobody', async () => {
  const heard: string[] = [];
  const listen = (subject: string) =>
    bus.subscribe(subject, (message) => heard.push(Buffer.from(message.bytes).toString()));
  const subscriptions = ['query.0', 'query.*'].map(listen);
  await subscribed();
  await relay('query.0');
  gateway.publish('query.0', 'asked');
  while (heard.length < 2) await delay(10);
  await delay(100);
  for (const subscription of subscriptions) subscription.stop();
  expect(heard).toEqual(['asked', 'asked']);
});

test("the server's own answer, led to where messages of ours are read, costs nobody anything", async () => {
  const heard: number[] = [];
  const subscription = bus.subscribe('query.0', ({ bytes: sent }) => heard.push(decodeHeartbeat(sent).lane));
  await subscribed();
  gateway.publish(`$JS.API.STREAM.INFO.CMD_${lane}`, '', { reply: 'query.0' });
  await gateway.flush();
  await delay(100);
  const beat = {
    lane,
    host: 'h',
    term: 1,
    appliedSequence: 3,
    storedOutcome: 3,
    condition: 'serving',
    code: '',
  };
  gateway.publish('query.0', encodeHeartbeat(beat as Heartbeat));
  while (heard.length === 0) await delay(10);
  subscription.stop();
  expect(heard).toEqual([lane]);
});

test('an answer of ours goes to an inbox for such answers, and nowhere else', async () => {
  const before = await log.lastCommand(lane);
  const subscription = bus.subscribe('query.1', (question) => question.respond(bytes('answer')));
  await subscribed();
  for (const reply of [`cmd.${lane}.own`, 'tick.0', '_INBOX.wallet.log.x', '_INBOX.gateway.wallet.x'])
    gateway.publish('query.1', 'x', { reply });
  const answered = new Promise<string>((resolve) => {
    gateway.subscribe('_INBOX.gateway.query.x', { callback: (_error, message) => resolve(message.string()) });
  });
  gateway.publish('query.1', 'x', { reply: '_INBOX.gateway.query.x' });
  expect(await answered).toBe('answer');
  subscription.stop();
  expect(await log.lastCommand(lane)).toBe(before);
});

test('a table keeps what was there', async () => {
  const { user, password } = server;
  const everything = await connectLog({ servers: [server.url], user, password, replicas: 1 });
  const table = await everything.table('PLACEMENT');
  const revision = (await table.put('system.test', bytes('ours'), 0)) as number;
  const seen = new Map<string, string | null>();
  const watch = await table.watch({
    entry: (key, value) => seen.set(key, value === null ? null : Buffer.from(value).toString()),
  });
  while (!seen.has('system.test')) await delay(10);
  await relay('$KV.PLACEMENT.system.test');
  const stored = async () => (await everything.tableExtent('PLACEMENT')).revision;
  await expect.poll(stored, patience).toBeGreaterThan(revision + 1);
  await delay(200);
  expect(seen.get('system.test')).toBe('ours');
  // The server has not kept the value: it is missed rather than replaced by another's.
  expect(await table.get('system.test')).toBeNull();
  expect(await table.put('system.test', bytes('ours again'), 0)).toBeGreaterThan(revision);
  await watch.stop();
  await everything.close();
});
