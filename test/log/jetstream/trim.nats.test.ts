import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLog, connectStorage } from '../../../src/log/jetstream/connect.ts';
import type { LaneTrimmer, Log } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const dayMs = 86_400_000;
const nanosPerMs = 1_000_000;
const routing = { wallet: false, hooks: false, events: false };

let server: TestNatsServer;
let client: NatsConnection;
let log: Log;
let trimmer: LaneTrimmer;
/** On the trimmer's own connection. */
let archiving: Log;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startNatsServer();
  client = await connect({ servers: server.url, user: server.user, pass: server.password });
  log = await start();
  const archiver = await connectStorage(reach());
  opened.push(archiver.log);
  trimmer = archiver.trimmer;
  archiving = archiver.log;
});

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await client.close();
  await server.stop();
});

function reach() {
  return { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
}

async function start(maxStreamAgeMs?: number): Promise<Log> {
  const started = await connectLog({
    ...reach(),
    ...(maxStreamAgeMs === undefined ? {} : { maxStreamAgeMs }),
  });
  opened.push(started);
  await started.prepare(2);
  return started;
}

async function fill(lane: number, count: number, outcome = new Uint8Array(10)): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const stored = await log.append(lane, 'batch', new Uint8Array(100), {
      messageId: `${lane} ${Math.random()}`,
      timeoutMs: 60_000,
    });
    if (stored.kind === 'stored') await log.appendOutcome(lane, stored.sequence, routing, outcome);
  }
}

async function stateOf(stream: string) {
  const manager = await jetstreamManager(client, { checkAPI: false });
  const { config, state } = await manager.streams.info(stream);
  return { config, first: state.first_seq, last: state.last_seq, messages: state.messages };
}

it('drops commands and outcomes up to a sequence, and leaves the streams as they were', async () => {
  await fill(0, 50);
  const before = (await stateOf('CMD_0')).config;
  await trimmer.trim(0, 20, 0);
  const [commands, outcomes] = [await stateOf('CMD_0'), await stateOf('OUT_0')];
  expect([commands.first, commands.last, outcomes.first, outcomes.last]).toEqual([21, 50, 21, 50]);
  expect(commands.config).toEqual(before);
  expect(commands.config).toMatchObject({
    deny_purge: true,
    deny_delete: true,
    discard: 'new',
    max_msgs: -1,
  });
  expect(await log.readCommand(0, 20)).toBeNull();
  expect((await log.readCommand(0, 21))?.sequence).toBe(21);
  await fill(0, 1);
  expect(await log.lastOutcome(0)).toBe(51);
});

it('drops so many messages less as may arrive meanwhile, and nothing twice', async () => {
  await trimmer.trim(0, 30, 4);
  expect((await stateOf('CMD_0')).first).toBe(27);
  await trimmer.trim(0, 30, 4);
  await trimmer.trim(0, 20, 0);
  expect((await stateOf('OUT_0')).first).toBe(27);
});

it('never drops the last message, whatever is asked for', async () => {
  await trimmer.trim(0, 1_000, 0);
  const { first, last, messages } = await stateOf('CMD_0');
  expect([first, messages]).toEqual([last, 1]);
});

it('drops the parts of dropped records, and no others', async () => {
  const large = new Uint8Array(300_000);
  await fill(0, 2, large.fill(1));
  const firstLarge = (await log.lastOutcome(0)) - 1;
  await fill(0, 2, large.fill(2));
  const parts = (await stateOf('PART_0')).messages;
  await trimmer.trim(0, firstLarge + 1, 0);
  expect((await stateOf('PART_0')).messages).toBe(parts / 2);
  expect((await log.readOutcome(0, firstLarge + 2))?.bytes.length).toBe(large.length);
});

it('makes a stream wide again that a killed process had narrowed, before the lane starts', async () => {
  const { config, messages } = await stateOf('CMD_0');
  const manager = await jetstreamManager(client);
  const narrowed = {
    ...config,
    discard: 'old' as const,
    max_msgs: messages,
    metadata: { ...config.metadata, 'potstream-trim': '1' },
  };
  await manager.streams.update('CMD_0', narrowed);
  await start();
  expect((await stateOf('CMD_0')).config).toEqual(config);
  // As a round of the archiver does, where the lane had started before.
  await manager.streams.update('CMD_0', narrowed);
  await trimmer.trim(0, 1, 0);
  expect((await stateOf('CMD_0')).config).toEqual(config);
});

it('does not repair a stream that somebody else has set to drop messages', async () => {
  const { config } = await stateOf('CMD_1');
  const manager = await jetstreamManager(client);
  await manager.streams.update('CMD_1', { ...config, discard: 'old' as never });
  await expect(start()).rejects.toMatchObject({
    code: 'misconfigured',
    message: expect.stringContaining('discard'),
  });
  await manager.streams.update('CMD_1', config);
});

it('gives a killed server back what it dropped within a block, and drops it again', async () => {
  await fill(1, 40);
  await trimmer.trim(1, 10, 0);
  await server.kill();
  await server.restart();
  const reached = () =>
    Promise.all([log.lastCommand(1), archiving.lastCommand(1), stateOf('CMD_1')]).then(
      () => true,
      () => false,
    );
  await expect.poll(reached, { timeout: 120_000 }).toBe(true);
  expect(await log.lastCommand(1)).toBe(40);
  expect((await stateOf('CMD_1')).first).toBeLessThanOrEqual(11);
  await trimmer.trim(1, 10, 0);
  expect((await stateOf('CMD_1')).first).toBe(11);
  expect((await stateOf('OUT_1')).first).toBe(11);
});

it('keeps messages beyond their age while the archive is behind, and follows settings afterwards', async () => {
  const ageOf = async () => (await stateOf('CMD_1')).config.max_age / nanosPerMs / dayMs;
  await trimmer.keepAged(1, true);
  await trimmer.keepAged(1, true);
  expect(await ageOf()).toBe(0);
  await start(3 * dayMs);
  expect(await ageOf()).toBe(0);
  await trimmer.keepAged(1, false);
  await trimmer.keepAged(1, false);
  expect(await ageOf()).toBe(3);
  expect((await stateOf('CMD_1')).config.metadata).not.toHaveProperty('potstream-keep-age');
});
