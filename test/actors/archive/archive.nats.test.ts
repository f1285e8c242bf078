import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Archiver } from '../../../src/actors/archive/archiver.ts';
import { LaneArchiver } from '../../../src/actors/archive/lane-archiver.ts';
import type { ActorHost } from '../../../src/actors/lane/actor-host.ts';
import { LogCheck } from '../../../src/actors/witness/log-check.ts';
import { listSegments, verifySegments } from '../../../src/cli/archive/run.ts';
import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { archivedLog } from '../../../src/log/archive/archived-log.ts';
import { type ArchiveLimits, defaultArchiveLimits } from '../../../src/log/archive/limits.ts';
import { decodeSegment, encodeSegment } from '../../../src/log/archive/segment.ts';
import { type IndexedSegment, SegmentIndex, segmentObject } from '../../../src/log/archive/segment-index.ts';
import { archivedSnapshotName, archivedSnapshots } from '../../../src/log/archive/snapshot-names.ts';
import { verifyArchive } from '../../../src/log/archive/verify.ts';
import { heartbeatSubject, querySubject, replySubject } from '../../../src/log/base/names.ts';
import { connectStorage } from '../../../src/log/jetstream/connect.ts';
import { openConnection } from '../../../src/log/jetstream/connection.ts';
import { JetStreamTrimmer } from '../../../src/log/jetstream/lane-trimmer.ts';
import { type LaneTrimmer, type Log, LogError } from '../../../src/ports.ts';
import { LaneStreams } from '../../../src/storage/lane-streams.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { DisturbedRequester } from '../../support/disturbed-requester.ts';
import { ActorWorld, lane, type SentBatch } from '../actor-world.ts';

const small: ArchiveLimits = {
  ...defaultArchiveLimits,
  ...{ archiveAfterMs: 0, partialAfterMs: 0, pressedPartialAfterMs: 0 },
  ...{ keepMs: 0, spareMessages: 0, spareMs: 0, pressedKeepRatio: 0, segmentMessages: 40 },
  pressedBytesPerSecond: 1e9,
  bytesPerSecond: 1e9,
};
/** Everything is uploaded, and there is always a snapshot soon. */
const settings = { uploadEveryMs: 0, snapshotEveryMessages: 20 };

let world: ActorWorld;
let host: ActorHost;
let streams: Log;
let trimmer: LaneTrimmer;
let index: SegmentIndex;
let archived: Log;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await ActorWorld.open();
  ({ log: streams, trimmer } = await connectStorage({ ...reach(), replicas: 1 }));
  index = indexOf(streams);
  archived = archivedLog(streams, index);
  closing.push(() => archived.close());
  host = await startHost('first');
  await world.activeInstance();
});

afterAll(async () => {
  for (const close of closing) await close();
  await world.close();
});

function reach() {
  const values = world.reachInEnvironment();
  return {
    servers: [values.POTSTREAM_NATS_URL as string],
    user: values.POTSTREAM_NATS_USER as string,
    password: values.POTSTREAM_NATS_PASSWORD as string,
  };
}

function indexOf(log: Log): SegmentIndex {
  return new SegmentIndex({ table: () => log.table('ARCHIVE'), store: () => log.archive('SEGMENTS') });
}

async function startHost(name: string): Promise<ActorHost> {
  const started = await world.startHost(name, settings, (log) => archivedLog(log, indexOf(log)));
  await world.owned(started);
  return started;
}

/** Messages of one contribution each. */
async function contribute(count: number): Promise<number> {
  let last = 0;
  for (let each = 0; each < count; each += 1)
    last = (await world.send([contribution({ idempotencyKey: randomBytes(16) })])).sequence;
  await world.until(async () => (await streams.lastOutcome(lane)) >= last, 'outcomes are stored');
  return last;
}

/** Contributions until there are so many uploaded snapshots, and none is due or on its way. */
async function withSnapshots(count: number): Promise<void> {
  await world.until(async () => {
    const last = await contribute(10);
    const uploaded = await archivedSnapshots(await streams.archive('SNAPSHOTS'), lane);
    return uploaded.length >= count && last - uploaded[0]!.sequence < settings.snapshotEveryMessages;
  }, 'snapshots are uploaded');
}

function archiver(
  limits: Partial<ArchiveLimits> = {},
  through = trimmer,
  isFull: () => boolean = () => false,
): Archiver {
  const all = { ...small, ...limits };
  const storage = new LaneStreams(
    lane,
    {
      ...{ log: streams, trimmer: through, index, clock: systemClock },
      monitor: { alarm: (_, code, message) => void world.alarms.push(`${code} ${message}`) },
    },
    all,
  );
  return new Archiver(
    {
      ...{ log: streams, index, clock: systemClock },
      trimming: { ask: (need) => storage.asked(need) },
      monitor: world.ports(streams, world.bus).monitor,
      owns: () => true,
      isFull,
      firstUnrevealed: () => Number.POSITIVE_INFINITY,
      requestSnapshot: (each) => host.requestSnapshot(each),
    },
    1,
    all,
  );
}

/** One that ends as a killed process would at a step. */
async function killedAt(step: 'encoded' | 'uploaded' | 'recorded'): Promise<void> {
  const dying = new LaneArchiver(lane, {
    ...{ log: streams, index: indexOf(streams), limits: small, worked: async () => {} },
    reached: async (reached) => {
      if (reached === step) throw new Error('killed');
    },
  });
  await expect(dying.next(now())).rejects.toThrow('killed');
}

const now = () => ({ nowMs: Date.now(), ageMs: 0, partialAgeMs: 0 });

const firstKept = async (): Promise<number> => (await streams.extents(lane)).commands.firstSequence;

it('archives what is stored, in segments that continue one another, and drops nothing before', async () => {
  const last = await contribute(100);
  await archiver({ keepMs: 3_600_000 }).round(lane);
  expect(index.lastSequence(lane)).toBe(last);
  expect(index.segments(lane).map(({ first, last: end }) => end - first + 1)).toEqual(
    expect.arrayContaining([40, 40]),
  );
  expect(await firstKept()).toBe(1);
  const report = await verifyArchive(lane, index, streams, null);
  expect(report).toMatchObject({ first: 1, last, messages: last, faults: [] });
  expect(report.storedBytes).toBeLessThan(report.rawBytes);
});

it('trims behind the third newest snapshot, and readers of old messages notice nothing', async () => {
  await withSnapshots(4);
  const before = {
    command: await streams.readCommand(lane, 2),
    outcome: await streams.readOutcome(lane, 2),
    all: await sequences((handlers) => streams.follow(lane, 1, handlers)),
  };
  await archiver().round(lane);
  const third = (await archivedSnapshots(await streams.archive('SNAPSHOTS'), lane))[2]!.sequence;
  expect(await firstKept()).toBe(third + 1);
  expect(await streams.readCommand(lane, 2)).toBeNull();
  expect(plain(await archived.readCommand(lane, 2))).toEqual(plain(before.command));
  expect(plain(await archived.readOutcome(lane, 2))).toEqual(plain(before.outcome));
  expect(await sequences((handlers) => archived.follow(lane, 1, handlers))).toEqual(before.all);
  expect(await sequences((handlers) => archived.followOutcomes(lane, 3, {}, handlers))).toEqual(
    before.all.slice(2),
  );
  const events = await sequences((handlers) => archived.followOutcomes(lane, 1, { events: true }, handlers));
  expect(events.slice(0, third)).toEqual(before.all.slice(0, third));
  expect((await archived.extents(lane)).outcomes).toMatchObject({ firstSequence: 1 });
  expect((await archived.readOutcomes(lane, 1))[0]?.sequence).toBe(1);
  expect((await archived.readCommands(lane, third + 1))[0]?.sequence).toBe(third + 1);
});

it('does not take what was trimmed for a loss', async () => {
  const seen = { heads: () => [{ sequence: 2, head: '', atMs: Date.now(), system: '', lane }] };
  const everyMs = 1e9;
  const alarmed = async (archivedTo: number): Promise<string[]> => {
    world.alarms.length = 0;
    let isOver = false;
    const clock = {
      ...systemClock,
      after: (delayMs: number, task: () => void) => {
        isOver ||= delayMs === everyMs;
        return systemClock.after(Math.min(delayMs, 1e6), task);
      },
    };
    const { hashing, monitor } = world.ports(streams, world.bus);
    const checking = new LogCheck(
      {
        ...{ log: streams, clock, hashing, monitor, witness: seen, owns: () => true },
        ...{ archivedTo: async () => archivedTo, commandsDamaged: () => {} },
      },
      1,
      { bytesPerSecond: 1e9, everyMs, maxAgeMs: 35 * 86_400_000 },
    );
    checking.start();
    await world.until(() => isOver, 'a pass is over');
    checking.stop();
    return [...world.alarms];
  };
  expect(await alarmed(0)).toEqual([expect.stringContaining('commands_damaged')]);
  expect(await alarmed(index.lastSequence(lane))).toEqual([]);
});

it.each(['encoded', 'uploaded', 'recorded'] as const)(
  'goes on after a kill at "%s" without a gap, a double or a leftover',
  async (step) => {
    await contribute(30);
    await killedAt(step);
    const last = await contribute(30);
    await archiver({ keepMs: 3_600_000 }).round(lane);
    const report = await verifyArchive(lane, index, streams, null);
    expect([report.last, report.messages, report.faults]).toEqual([last, last, []]);
    const objects = await (await streams.archive('SEGMENTS')).list();
    const recorded = index.segments(lane).map(({ object }) => object);
    // What a killed process left goes when the next one begins behind it.
    await new LaneArchiver(lane, { log: streams, index, limits: small, worked: async () => {} }).next({
      ...now(),
      ageMs: 3_600_000,
    });
    expect(objects).toEqual(expect.arrayContaining(recorded));
    expect(await (await streams.archive('SEGMENTS')).list()).toEqual(recorded.toSorted());
  },
);

it('lets one of two archivers continue a lane', async () => {
  await contribute(20);
  let uploaded = 0;
  const reached = async (step: string): Promise<void> => {
    if (step !== 'uploaded') return;
    uploaded += 1;
    await world.until(() => uploaded === 2, 'both have uploaded');
  };
  const make = (of: SegmentIndex): LaneArchiver =>
    new LaneArchiver(lane, { log: streams, index: of, limits: small, worked: async () => {}, reached });
  const [mine, theirs] = [indexOf(streams), indexOf(streams)];
  const results = await Promise.allSettled([make(mine).next(now()), make(theirs).next(now())]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await Promise.all([mine.close(), theirs.close()]);
  expect((await verifyArchive(lane, index, streams, null)).faults).toEqual([]);
});

it('recovers behind the trimmed beginning from the archived snapshots', async () => {
  await withSnapshots(3);
  await archiver().round(lane);
  expect(await firstKept()).toBeGreaterThan(1);
  await host.abort();
  await rm(join(world.dataDirectory, 'snapshots'), { recursive: true, force: true });
  host = await startHost('second');
  await contribute(5);
  expect(host.status(lane)).toMatchObject({ ownership: 'owning', stopped: null });
});

it('recovers from a snapshot that the stream no longer continues, by the archive', async () => {
  await withSnapshots(3);
  await archiver().round(lane);
  await host.abort();
  await rm(join(world.dataDirectory, 'snapshots'), { recursive: true, force: true });
  const store = await streams.archive('SNAPSHOTS');
  for (const name of await archivedSnapshots(store, lane))
    await store.remove(archivedSnapshotName(lane, name));
  host = await startHost('third');
  await world.until(
    async () => host.status(lane)?.appliedSequence === (await streams.lastCommand(lane)),
    'everything is applied',
  );
  expect(world.alarms.filter((alarm) => alarm.startsWith('hole'))).toEqual([]);
});

it('answers a repeat from the archive, and says that it cannot know where there is none', async () => {
  const gatewayOn = (log: Log): LaneGateway =>
    new LaneGateway({
      ...{ log, bus: world.bus, clock: systemClock, random: systemRandom, defer: setImmediate },
      report: (error) => void world.alarms.push(String(error)),
      subjects: { reply: replySubject, query: querySubject, heartbeat: heartbeatSubject },
      ...{ lanes: 1, gateway: `g${randomBytes(4).toString('hex')}` },
    });
  const gateway = gatewayOn(archived);
  const command = contribution({ idempotencyKey: randomBytes(16) });
  const first = await gateway.send(lane, command);
  await withSnapshots(4);
  const pressed = archiver({ pressedRatio: 0 });
  await pressed.round(lane);
  await world.until(async () => {
    await contribute(5);
    await pressed.round(lane);
    return (await firstKept()) > first.sequence;
  }, 'the command leaves the stream');
  const repeat = await gateway.send(lane, command);
  expect(repeat.outcome).toMatchObject({ kind: 'Duplicate', sequence: first.sequence });
  const read = await gateway.readBack(lane, first.sequence, first.index);
  expect(read.outcome).toEqual(first.outcome);
  expect(plain(Object.entries(read.command).toSorted())).toBe(plain(Object.entries(command).toSorted()));
  const bare = gatewayOn(streams);
  await expect(bare.readBack(lane, first.sequence, first.index)).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
  gateway.stop();
  bare.stop();
});

it('waits neither for its next pass nor for a whole segment once a lane is full', async () => {
  await withSnapshots(4);
  let isFull = false;
  const never = { everyMs: 1e9, archiveAfterMs: 1e9, partialAfterMs: 1e9, pressedPartialAfterMs: 1e9 };
  const waiting = archiver({ ...never, pressedRatio: 2, pressedEveryMs: 50 }, trimmer, () => isFull);
  waiting.start();
  const last = await contribute(10);
  expect(index.lastSequence(lane)).toBeLessThan(last);
  isFull = true;
  await world.until(() => index.lastSequence(lane) >= last, 'everything is archived');
  // With the snapshot that it asked for.
  await world.until(async () => (await firstKept()) >= last, 'everything before the snapshot is dropped');
  await waiting.stop();
});

/** As a lane in service keeps messages; its streams have room for some 250 large ones. */
const realKeeping = {
  ...{ keepMs: 3_600_000, pressedSnapshotMs: 0 },
  spareMessages: defaultArchiveLimits.spareMessages,
  spareMs: defaultArchiveLimits.spareMs,
  pressedKeepRatio: defaultArchiveLimits.pressedKeepRatio,
};
const limitBytes = 2 * 1024 * 1024;

async function contributeLarge(count: number): Promise<void> {
  let last: SentBatch | undefined;
  for (let each = 0; each < count; each += 1) {
    const eventMetadata = randomBytes(4_000).toString('hex');
    last = await world.send([contribution({ idempotencyKey: randomBytes(16), eventMetadata })]);
  }
  const { sequence } = last as SentBatch;
  await world.until(async () => (await streams.lastOutcome(lane)) >= sequence, 'outcomes are stored');
}

/** Every message that was ever stored, from the archive or the streams: none is lost or doubled. */
async function expectEverything(): Promise<void> {
  const last = await streams.lastOutcome(lane);
  const all = Array.from({ length: last }, (_, index) => index + 1);
  expect(await sequences((handlers) => archived.follow(lane, 1, handlers))).toEqual(all);
  expect(await sequences((handlers) => archived.followOutcomes(lane, 1, {}, handlers))).toEqual(all);
  expect((await verifyArchive(lane, index, streams, null)).faults).toEqual([]);
}

it('keeps a lane from filling while contributions go on', async () => {
  const before = (await streams.fill(lane)).find(({ stream }) => stream === 'CMD_0')!.bytes;
  expect(before).toBeLessThan(limitBytes);
  await world.limit({ CMD_0: limitBytes, OUT_0: 2 * limitBytes });
  const keeping = archiver({ ...realKeeping, everyMs: 50, pressedEveryMs: 50 });
  closing.unshift(() => keeping.stop());
  keeping.start();
  const state = async (): Promise<string> => {
    const { commands } = await streams.extents(lane);
    const names = await archivedSnapshots(await streams.archive('SNAPSHOTS'), lane);
    return JSON.stringify([commands, index.lastSequence(lane), names[0]?.sequence]);
  };
  const began = await firstKept();
  for (let sent = 0; sent < 2 * limitBytes; sent += 20 * 8_000) {
    await contributeLarge(20);
    await world.until(async () => (await fillOf('CMD_0')) < 0.5, `the stream is trimmed (${await state()})`);
  }
  await keeping.stop();
  expect(await firstKept()).toBeGreaterThan(began);
  expect(host.status(lane)).toMatchObject({ stopped: null, full: '' });
  expect(world.alarms.filter((alarm) => /^(lane_full|stream_full|hole|log_not)/.test(alarm))).toEqual([]);
  await expectEverything();
});

it.each([
  ['the narrowing comes late', /UPDATE\.CMD_.*"discard":"old"/],
  ['the process stops before the widening', /UPDATE\.CMD_.*"discard":"new"/],
])('loses nothing of a lane that is short of room when %s', async (_, to) => {
  const connection = await openConnection({ ...reach(), replicas: 1 }, 'archive');
  const requester = new DisturbedRequester(connection);
  const slow = archiver(realKeeping, new JetStreamTrimmer(requester, 1));
  while ((await fillOf('CMD_0')) < 0.55) await contributeLarge(10);
  const began = await firstKept();
  // Nearly the spare: a quarter of the room.
  requester.disturb({ to, before: () => contributeLarge(50) });
  await slow.round(lane);
  expect(await firstKept()).toBeGreaterThan(began);
  await connection.close();
  await archiver({ keepMs: 3_600_000 }).round(lane);
  await expectEverything();
});

it('drops nothing that the archive has otherwise than the streams, whoever recorded that', async () => {
  await archiver({ keepMs: 3_600_000 }).round(lane);
  const archivedTo = index.lastSequence(lane);
  const { head, last, sha256 } = index.segments(lane).at(-1)!;
  await contribute(60);
  await withSnapshots(4);
  const end = await streams.lastOutcome(lane);
  const messages = [];
  for (let sequence = archivedTo + 1; sequence <= end; sequence += 1) {
    const command = (await streams.readCommand(lane, sequence))!;
    const outcome = (await streams.readOutcome(lane, sequence))!;
    messages.push({
      command: sequence === archivedTo + 3 ? { ...command, bytes: Buffer.from('x') } : command,
      outcome,
    });
  }
  const forged = await encodeSegment(lane, messages, { headBefore: head, previous: { last, sha256 } });
  await (await streams.archive('SEGMENTS')).put(segmentObject(forged), forged.bytes);
  await index.record(forged, segmentObject(forged));
  world.alarms.length = 0;
  await archiver({ pressedRatio: 0 }).round(lane);
  expect(world.alarms).toEqual([
    expect.stringMatching(new RegExp(`^archive_differs .*${archivedTo + 3} of lane`)),
  ]);
  expect(await firstKept()).toBeLessThanOrEqual(archivedTo + 3);
  await index.remove(index.segments(lane).at(-1)!);
  await archiver({ pressedRatio: 0 }).round(lane);
  expect(await firstKept()).toBeGreaterThan(archivedTo + 3);
});

it('does not archive across a record that is missing, and trims nothing then', async () => {
  const kept = await firstKept();
  const behind = await contribute(30);
  const broken: Log = Object.assign(Object.create(streams) as Log, {
    extents: (each: number) => streams.extents(each),
    readCommands: (each: number, from: number) => streams.readCommands(each, from),
    readOutcomes: async (each: number, from: number) =>
      (await streams.readOutcomes(each, from)).filter(({ sequence }) => sequence !== behind - 3),
  });
  const archiving = new LaneArchiver(lane, { log: broken, index, limits: small, worked: async () => {} });
  const all = async (): Promise<void> => {
    while (await archiving.next(now())) {
      // Until it meets the missing one.
    }
  };
  await expect(all()).rejects.toMatchObject({ code: 'hole' });
  expect(await firstKept()).toBe(kept);
});

it('finds a forged segment, a lost one, and one whose record was forged too', async () => {
  const segment = index.segments(lane)[1] as IndexedSegment;
  const store = await streams.archive('SEGMENTS');
  const original = (await store.get(segment.object)) as Uint8Array;
  const faults = async (): Promise<string[]> => {
    const fresh = indexOf(streams);
    const report = await verifyArchive(lane, fresh, streams, null);
    await fresh.close();
    return report.faults.map(({ fault }) => fault);
  };
  const flipped = original.slice();
  flipped[flipped.length >> 1]! ^= 1;
  await store.put(segment.object, flipped);
  expect(await faults()).toEqual([expect.stringContaining('SHA-256')]);
  const failed = await command(verifySegments);
  expect(failed).toMatchObject({ code: 1, text: expect.stringContaining(segment.object) });
  await expect(archived.readCommand(lane, segment.first)).rejects.toBeInstanceOf(LogError);
  // Another content with all checksums right: that of the first command, at the place of the second.
  const { facts, messages } = await decodeSegment(original);
  const forged = await encodeSegment(
    lane,
    messages.map((message, at) =>
      at === 1 ? { ...message, command: { ...message.command, bytes: messages[0]!.command.bytes } } : message,
    ),
    { headBefore: facts.headBefore, previous: facts.previous },
  );
  await store.put(segment.object, forged.bytes);
  expect(await faults()).toEqual([expect.stringContaining('the store has another one')]);
  const table = await streams.table('ARCHIVE');
  const key = (await table.keys()).find((each) =>
    each.endsWith(`.${String(segment.first).padStart(16, '0')}`),
  );
  const entry = (await table.get(key as string))!;
  const value = JSON.stringify({ ...segment, sha256: forged.sha256 });
  const revision = await table.put(entry.key, new TextEncoder().encode(value), entry.revision);
  expect(await faults()).toEqual(['It does not continue the segment before it.']);
  await table.put(entry.key, entry.value, revision as number);
  await store.remove(segment.object);
  expect(await faults()).toEqual([expect.stringContaining('the store does not have it')]);
  await store.put(segment.object, original);
  expect(await faults()).toEqual([]);
  const verified = await command(verifySegments, { lane, json: true });
  expect(JSON.parse(verified.text)).toMatchObject({ verified: true, lanes: [{ lane, faults: [] }] });
  const listed = await command(listSegments, { lane, json: true });
  expect(
    listed.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).sha256),
  ).toEqual(index.segments(lane).map(({ sha256 }) => sha256));
});

it('finds that the archive lost its beginning, which the settings keep, or its end', async () => {
  const [oldest, next] = index.segments(lane) as [IndexedSegment, IndexedSegment];
  const live = {
    readCommand: async () => null,
    readOutcome: async () => null,
    extents: (of: number) => streams.extents(of),
  };
  await index.remove(oldest);
  const fresh = indexOf(streams);
  const faults = async (keptMs: number | null, ports = live): Promise<string[]> =>
    (await verifyArchive(lane, fresh, ports, keptMs)).faults.map(({ fault }) => fault);
  expect(await faults(86_400_000)).toEqual([]);
  expect(await faults(null)).toEqual([
    `The segments up to message ${next.first - 1} are gone, and the settings keep them all (POTSTREAM_ARCHIVE_DAYS).`,
  ]);
  const { commands, outcomes } = await streams.extents(lane);
  const firstSequence = index.lastSequence(lane) + 3;
  const trimmed = async () => ({ commands: { ...commands, firstSequence }, outcomes });
  expect(await faults(86_400_000, { ...live, extents: trimmed })).toEqual([
    `Messages ${firstSequence - 2} to ${firstSequence - 1} are neither archived nor in the stream.`,
  ]);
  await fresh.close();
});

it('removes what the operator does not keep any more, the oldest first', async () => {
  const segments = [...index.segments(lane)];
  const second = segments[1] as IndexedSegment;
  await archiver({ archiveMs: 0, keepMs: 3_600_000 }).round(lane);
  expect(index.segments(lane)).toHaveLength(1);
  expect(await (await streams.archive('SEGMENTS')).has(second.object)).toBe(false);
  expect(await archived.readCommand(lane, second.first)).toBeNull();
  expect((await verifyArchive(lane, index, streams, 0)).faults).toEqual([]);
});

/** Bytes as hexadecimal, whatever holds them. */
function plain(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each instanceof Uint8Array
      ? Buffer.from(each).toString('hex')
      : typeof each === 'bigint'
        ? String(each)
        : each?.type === 'Buffer'
          ? Buffer.from(each.data).toString('hex')
          : each,
  );
}

/** The output of a command of `potstream archive`, and its exit code. */
async function command(run: typeof listSegments, choices: Parameters<typeof listSegments>[1] = {}) {
  const lines: string[] = [];
  const output = {
    write: (text: string) => void lines.push(text),
    print: (line: string) => void lines.push(line),
  };
  const code = await run(world.reach().settings, choices, output);
  return { code, text: lines.join('') };
}

async function fillOf(stream: string): Promise<number> {
  const fill = (await streams.fill(lane)).find((each) => each.stream === stream)!;
  return fill.bytes / fill.maxBytes;
}

async function sequences(
  follow: (handlers: { message: (stored: { readonly sequence: number }) => void; caughtUp: () => void }) => {
    stop(): Promise<void>;
  },
): Promise<number[]> {
  const found: number[] = [];
  let reached = false;
  const follower = follow({
    message: ({ sequence }) => void found.push(sequence),
    caughtUp: () => {
      reached = true;
    },
  });
  await world.until(() => reached, 'the end is reached');
  await follower.stop();
  return found;
}
