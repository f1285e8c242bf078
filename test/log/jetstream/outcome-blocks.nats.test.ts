import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectLog, connectStorage } from '../../../src/log/jetstream/connect.ts';
import type { LaneTrimmer, Log, StoredOutcome } from '../../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const routing = { wallet: false, hooks: false, events: false };

let server: TestNatsServer;
let client: NatsConnection;
let log: Log;
let trimmer: LaneTrimmer;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startNatsServer();
  client = await connect({ servers: server.url, user: server.user, pass: server.password });
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  log = await connectLog(reach);
  await log.prepare(4);
  const storage = await connectStorage(reach);
  trimmer = storage.trimmer;
  opened.push(log, storage.log);
});

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await client.close();
  await server.stop();
});

const bytesOf = (sequence: number): Uint8Array => Buffer.from(`record ${sequence}`);
const textOf = (stored: StoredOutcome | null): string | null =>
  stored === null ? null : Buffer.from(stored.bytes).toString();
const recordsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ routing, bytes: bytesOf(first + index) }));

/** Records of their own up to `plain`, then blocks of any size up to `total`; their first records. */
async function given(lane: number, seed: number, plain: number, total: number): Promise<number[]> {
  const world = new SimWorld(seed);
  const firsts: number[] = [];
  for (let sequence = 1; sequence <= plain; sequence += 1)
    await log.appendOutcome(lane, sequence, routing, bytesOf(sequence));
  const stored: Promise<unknown>[] = [];
  for (let first = plain + 1; first <= total; ) {
    const size = world.chance(0.5) ? 1 : world.between(2, world.chance(0.2) ? 256 : 12);
    const count = Math.min(size, total + 1 - first);
    stored.push(log.appendBlock(lane, first, recordsFrom(first, count)));
    firsts.push(first);
    first += count;
  }
  await Promise.all(stored);
  return firsts;
}

it('finds each record by its sequence, from anywhere', async () => {
  const total = 2_000;
  await given(0, 1, 100, total);
  expect(await log.lastOutcome(0)).toBe(total);
  const world = new SimWorld(2);
  const wanted = [1, 99, 100, 101, 102, total - 1, total];
  for (let index = 0; index < 200; index += 1) wanted.push(world.between(1, total));
  for (const sequence of wanted)
    expect(textOf(await log.readOutcome(0, sequence))).toBe(`record ${sequence}`);
  for (const sequence of [total + 1, 5 * total]) expect(await log.readOutcome(0, sequence)).toBeNull();
  let next = 1;
  for (let batch = await log.readOutcomes(0, next); batch.length > 0; batch = await log.readOutcomes(0, next))
    for (const each of batch) {
      expect([each.sequence, textOf(each)]).toEqual([next, `record ${next}`]);
      next += 1;
    }
  expect(next).toBe(total + 1);
}, 60_000);

it('keeps a block that is cut when the beginning leaves', async () => {
  const firsts = await given(1, 3, 20, 400);
  // trim() drops commands too, and there must be some.
  await log.append(1, 'batch', bytesOf(1), { messageId: 'one' });
  const inside = firsts.findIndex((first, index) => index > 5 && firsts[index + 1]! - first > 2);
  const first = firsts[inside]!;
  await trimmer.trim(1, first + 1, 0);
  const { outcomes } = await log.extents(1);
  expect(outcomes).toMatchObject({ firstSequence: first, lastSequence: 400, messages: 401 - first });
  expect(await log.readOutcome(1, first - 1)).toBeNull();
  expect(textOf(await log.readOutcome(1, first))).toBe(`record ${first}`);
  expect((await log.readOutcomes(1, 1))[0]!.sequence).toBe(first);
  await trimmer.trim(1, 10_000, 0);
  const last = firsts.at(-1)!;
  expect((await log.extents(1)).outcomes).toMatchObject({ firstSequence: last, lastSequence: 400 });
  expect(await log.appendBlock(1, 401, recordsFrom(401, 2))).toMatchObject({ kind: 'stored', sequence: 402 });
  const follower = log.followOutcomes(1, first, {}, { message: () => {} });
  await expect(follower.done).rejects.toMatchObject({ code: 'hole' });
});

const blockAt = (lane: number, text: string, subject = '-.-.-') =>
  client.request(`out.${lane}.${subject}`, Buffer.from(text, 'hex'));

it('ends a follower where blocks leave out records or hold some twice, and damages no other record', async () => {
  await log.appendBlock(2, 1, recordsFrom(1, 2));
  const { bytes } = await blockBytes(2);
  await log.appendBlock(2, 3, recordsFrom(3, 2));
  // The first block once more.
  await blockAt(2, Buffer.from(bytes).toString('hex'));
  const seen: number[] = [];
  const twice = log.followOutcomes(2, 1, {}, { message: ({ sequence }) => void seen.push(sequence) });
  await expect(twice.done).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('twice'),
  });
  expect(seen).toEqual([1, 2, 3, 4]);
  await log.appendBlock(3, 1, recordsFrom(1, 2));
  const damaged = Uint8Array.from((await blockBytes(3)).bytes);
  damaged.set([255], 9);
  await blockAt(3, Buffer.from(damaged).toString('hex'));
  const holed = log.followOutcomes(3, 1, {}, { message: () => {} });
  await expect(holed.done).rejects.toMatchObject({ code: 'corrupt' });
  expect(textOf(await log.readOutcome(3, 2))).toBe('record 2');
  expect((await log.readOutcomes(3, 1)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  await expect(log.lastOutcome(3)).rejects.toMatchObject({ code: 'corrupt' });
});

async function blockBytes(lane: number): Promise<{ readonly bytes: Uint8Array }> {
  const answer = await client.request(`$JS.API.DIRECT.GET.OUT_${lane}`, JSON.stringify({ seq: 1 }));
  return { bytes: answer.data };
}
