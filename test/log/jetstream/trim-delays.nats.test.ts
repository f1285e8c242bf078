import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectLog } from '../../../src/log/jetstream/connect.ts';
import { openConnection } from '../../../src/log/jetstream/connection.ts';
import { JetStreamTrimmer } from '../../../src/log/jetstream/lane-trimmer.ts';
import { Requester } from '../../../src/log/jetstream/requester.ts';
import type { Log } from '../../../src/ports.ts';
import { DisturbedRequester } from '../../support/disturbed-requester.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

const lanes = 5;
const stored = 1_000;
const spare = 100;
const target = 700;
/** More than the spare: what a lane stores within a few seconds. */
const burst = 250;
const info = /STREAM\.INFO\.CMD_/;
const narrowing = /STREAM\.UPDATE\.CMD_.*"discard":"old"/;
const widening = /STREAM\.UPDATE\.CMD_.*"discard":"new"/;

let server: TestNatsServer;
let log: Log;
let requester: DisturbedRequester;
let trimmer: JetStreamTrimmer;
let other: JetStreamTrimmer;
let stoppedMs = 0;
let lane = -1;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startNatsServer();
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  log = await connectLog(reach);
  await log.prepare(lanes);
  const [mine, theirs] = [await openConnection(reach, 'archive'), await openConnection(reach, 'archive')];
  requester = new DisturbedRequester(mine);
  trimmer = new JetStreamTrimmer(requester, 1, () => {
    const beganMs = stoppedMs;
    return () => stoppedMs - beganMs;
  });
  other = new JetStreamTrimmer(new Requester(theirs), 1);
  closing.push(...[log, mine, theirs].map((each) => () => each.close()));
});

/** A lane of its own for each test: its sequences are known. */
beforeEach(async () => {
  lane += 1;
  await append(stored);
});

afterAll(async () => {
  for (const close of closing) await close();
  await server?.stop();
});

async function append(count: number): Promise<void> {
  const send = (each: number) =>
    log.append(lane, 'batch', new Uint8Array(50), {
      messageId: `${each} ${Math.random()}`,
      timeoutMs: 60_000,
    });
  for (let sent = 0; sent < count; sent += 200)
    await Promise.all(Array.from({ length: Math.min(200, count - sent) }, (_, each) => send(sent + each)));
}

const first = async (): Promise<number> => (await log.extents(lane)).commands.firstSequence;

it('reads again if the process was stopped between its look and the narrowing', async () => {
  requester.disturb({ to: info, after: async () => {} });
  requester.disturb({
    to: info,
    after: async () => {
      await append(burst);
      stoppedMs += 30_000;
    },
  });
  const pushedOut = await trimmer.trim(lane, target, spare);
  expect([await first(), pushedOut]).toEqual([target - spare + 1, 0]);
});

it('leaves a stream as it is if each look is old before it is used', async () => {
  for (let looks = 0; looks < 10; looks += 1) {
    requester.disturb({
      to: info,
      after: async () => {
        stoppedMs += 2_000;
      },
    });
  }
  await trimmer.trim(lane, target, spare);
  expect(await first()).toBe(1);
});

it('drops nothing more once another host has ended the step of a dead one', async () => {
  const died = new Error('killed');
  requester.disturb({
    to: widening,
    before: async () => {
      throw died;
    },
  });
  await expect(trimmer.trim(lane, target, spare)).rejects.toBe(died);
  await append(30);
  expect(await first()).toBe(target - spare + 31);
  // A host that follows the lane leaves a step alone that its owner may still end.
  expect(await other.widen(lane, 60_000)).toBe(0);
  await append(1);
  expect(await other.widen(lane, 0)).toBe(31);
  expect(await other.widen(lane, 0)).toBe(0);
  await append(burst);
  expect(await first()).toBe(target - spare + 32);
});

it('says how many more left when the narrowing comes late, or the process stops in it', async () => {
  requester.disturb({ to: narrowing, before: () => append(80) });
  requester.disturb({ to: widening, before: () => append(15) });
  const pushedOut = await trimmer.trim(lane, target, spare);
  expect([await first(), pushedOut]).toEqual([target - spare + 96, 95]);
});

it('keeps the newest messages however late the narrowing comes', async () => {
  requester.disturb({ to: narrowing, before: () => append(2 * burst) });
  expect(await trimmer.trim(lane, target, spare)).toBe(2 * burst);
  const { commands } = await log.extents(lane);
  // As many as were to stay: those that nobody archived meanwhile are among them as long as they are fewer.
  expect(commands.messages).toBe(stored - (target - spare));
});
