import { beforeEach, expect, it } from 'vitest';
import type { ActorPorts, ActorSettings } from '../../../../src/actors/ports/actor-ports.ts';
import type { SnapshotStore } from '../../../../src/actors/ports/snapshot-store.ts';
import { type SnapshotOrigin, SnapshotTaker } from '../../../../src/actors/recovery/snapshots/taker.ts';
import { firstLaneHead, Replica } from '../../../../src/actors/replica/replica.ts';
import { encodeCommandBatch, encodeOutcomeRecord } from '../../../../src/messages/codec/codec.ts';
import { engines, hashing } from '../../../sim/sim-system.ts';
import { MemorySnapshots } from '../../../support/memory-snapshots.ts';
import { SimServer } from '../../../support/sim-server.ts';
import { SimWorld, settle } from '../../../support/sim-world.ts';

const hugeWork = {
  snapshotEveryMessages: 1e9,
  snapshotEveryCommands: 1e9,
  snapshotEveryBytes: 1e12,
  snapshotEveryReplaySeconds: 1e9,
};
const minuteMs = 60_000;
const mebibyte = new Uint8Array(1024 * 1024);
let world: SimWorld;
let alarms: string[];

beforeEach(() => {
  world = new SimWorld(1);
  alarms = [];
});

/** A lane's replica, real snapshots in memory, and the taker between them, in virtual time. */
function lane(
  changes: Partial<ActorSettings>,
  origin: SnapshotOrigin,
  through = (store: SnapshotStore) => store,
  engine = engines.create(),
) {
  const memory = new MemorySnapshots();
  const replica = new Replica(0, engine, hashing, firstLaneHead);
  const server = new SimServer(world, 1);
  const { log } = server.connect('host');
  const ports = {
    clock: world.clock(() => true),
    snapshots: through(memory.of(() => true)),
    log,
    monitor: {
      snapshotStored: () => {},
      recovered: () => {},
      stopwatchSeconds: () => 0,
      alarm: (_: number, code: string) => void alarms.push(code),
    },
  } as unknown as ActorPorts;
  const settings = {
    ...hugeWork,
    snapshotEveryMs: 5 * minuteMs,
    snapshotRestMs: 30_000,
    uploadEveryMs: 1e12,
    logRetentionMs: 35 * 86_400_000,
    ...changes,
  } as ActorSettings;
  const taker = new SnapshotTaker(replica, origin, () => replica.appliedSequence, ports, settings);
  const applied = async (messages: number, commands = 1, seconds = 0): Promise<void> => {
    for (let count = 0; count < messages; count += 1) {
      const sequence = replica.appliedSequence + 1;
      const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands: [] });
      replica.apply({ lane: 0, sequence, channel: 'batch', timestampMs: world.nowMs, bytes });
      taker.applied(commands, bytes.length, seconds);
    }
    await world.passes(1);
    await settle();
  };
  return { taker, applied, memory, server };
}

/** What it reads and uploads takes virtual time. */
async function ended(work: Promise<void>): Promise<void> {
  await world.passes(minuteMs);
  await work;
}

const stopped = (taker: SnapshotTaker): Promise<void> => ended(taker.stop());
const fresh = (): SnapshotOrigin => ({ timestampMs: world.nowMs, isReplacement: false });

it('takes one by the commands to replay, however few messages they came in', async () => {
  const { taker, applied, memory } = lane({ snapshotEveryCommands: 1000 }, fresh());
  taker.start();
  await applied(3, 256);
  expect(memory.count).toBe(0);
  await applied(1, 256);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('keeps none whose lane head is not that of OUT', async () => {
  const forged = encodeOutcomeRecord({
    sequence: 1,
    timestampMs: world.nowMs,
    laneHead: new Uint8Array(32).fill(9),
    instances: [],
    outcomes: [],
    events: [],
    work: [],
  });
  const { taker, applied, memory, server } = lane({ snapshotEveryMessages: 1 }, fresh());
  taker.start();
  server.appendOutcome(0, 1, { wallet: false, hooks: false, events: false }, forged);
  await applied(1);
  await world.passes(1000);
  expect(memory.count).toBe(0);
  expect(alarms).toEqual(['snapshot_failed']);
  await stopped(taker);
});

it('takes one by the bytes to replay', async () => {
  const { taker, applied, memory } = lane({ snapshotEveryBytes: 200 }, fresh());
  taker.start();
  await applied(1);
  expect(memory.count).toBe(0);
  await applied(20);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('takes one by the time that a replay needs, where few commands are much work', async () => {
  const { taker, applied, memory } = lane({ snapshotEveryReplaySeconds: 1.5 }, fresh());
  taker.start();
  await applied(9, 1, 0.1);
  expect(memory.count).toBe(0);
  await applied(2, 1, 0.1);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('takes none during a replay, unless a crash would repeat very much of it', async () => {
  const { taker, applied, memory } = lane({ snapshotEveryCommands: 1000 }, fresh());
  await applied(19, 1000);
  expect(memory.count).toBe(0);
  await applied(1, 1000);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

/** Snapshots of so many mebibytes, which are not kept. */
function sized(mebibytes: number) {
  const snapshot = () => Array.from({ length: mebibytes }, () => mebibyte);
  const engine = Object.assign(engines.create(), { snapshot });
  const forgetful = (store: SnapshotStore): SnapshotStore => ({
    ...store,
    create: async (header) => ({ ...(await store.create(header)), write: async () => {} }),
  });
  return { engine, forgetful };
}

it('writes no more bytes a second than it may, in the long run', async () => {
  const { engine, forgetful } = sized(240);
  const changes = { snapshotEveryCommands: 100, snapshotRestMs: 0 };
  const { taker, applied, memory } = lane(changes, fresh(), forgetful, engine);
  taker.start();
  await applied(1, 100);
  expect(memory.count).toBe(1);
  for (let second = 1; second < 5; second += 1) {
    await world.passes(980);
    await applied(10, 100);
  }
  expect(memory.count).toBe(1);
  await world.passes(1500);
  await applied(10, 100);
  await world.passes(1000);
  expect(memory.count).toBe(2);
  await stopped(taker);
});

it('writes the next ones slowly while little comes, and at once where much does or the process ends', async () => {
  const { engine, forgetful } = sized(24);
  const changes = { snapshotEveryCommands: 1000, snapshotRestMs: 0 };
  const { taker, applied, memory } = lane(changes, fresh(), forgetful, engine);
  taker.start();
  await applied(1, 1000);
  expect(memory.count).toBe(1);
  await world.passes(5000);
  await applied(1, 1000);
  await world.passes(1500);
  expect(memory.count).toBe(1);
  await world.passes(700);
  expect(memory.count).toBe(2);

  await world.passes(5000);
  await applied(1, 1000);
  await applied(1, 200);
  await world.passes(500);
  expect(memory.count).toBe(2);
  await applied(1, 100);
  await world.passes(50);
  expect(memory.count).toBe(3);

  await world.passes(5000);
  await applied(1, 1000);
  let isOver = false;
  const last = taker.takeLast().then(() => {
    isOver = true;
  });
  await world.passes(1000);
  expect(isOver).toBe(true);
  await last;
  await stopped(taker);
});

/** A store whose drafts wait until they are hurried, and count that. */
function patient(store: SnapshotStore, seen: { hurried: number }): SnapshotStore {
  return {
    ...store,
    async create(header) {
      const draft = await store.create(header);
      let hurry = (): void => {};
      const hurried = new Promise<void>((resolve) => {
        hurry = resolve;
      });
      return {
        ...draft,
        write: async (bytes) => {
          await hurried;
          await draft.write(bytes);
        },
        hurry: () => {
          seen.hurried += 1;
          hurry();
        },
      };
    },
  };
}

it('hurries the one that is being written where the process ends, and takes another where much came since', async () => {
  const seen = { hurried: 0 };
  const through = (store: SnapshotStore): SnapshotStore => patient(store, seen);
  const { taker, applied, memory } = lane({ snapshotEveryCommands: 1000 }, fresh(), through);
  taker.start();
  await applied(4, 256);
  await applied(1, 50);
  expect([memory.count, seen.hurried]).toEqual([0, 0]);
  await ended(taker.takeLast());
  expect([memory.count, seen.hurried]).toEqual([1, 1]);
  await stopped(taker);

  const other = lane({ snapshotEveryCommands: 1000 }, fresh(), through);
  other.taker.start();
  await other.applied(4, 256);
  await other.applied(1, 150);
  await ended(other.taker.takeLast());
  expect([other.memory.count, seen.hurried]).toEqual([2, 3]);
  await stopped(other.taker);
});

it('gives the disk its rest, however much comes', async () => {
  const { taker, applied, memory } = lane({ snapshotEveryCommands: 100 }, fresh());
  taker.start();
  for (let second = 0; second < 29; second += 1) {
    await applied(10, 256);
    await world.passes(999);
  }
  expect(memory.count).toBe(1);
  await world.passes(3000);
  expect(memory.count).toBe(2);
  await stopped(taker);
});

it('takes one behind a long replay as soon as the lane serves, and none behind a short one', async () => {
  const replayed = lane({ snapshotEveryCommands: 10_000 }, fresh());
  await replayed.applied(4, 256);
  expect(replayed.memory.count).toBe(0);
  replayed.taker.start();
  await world.passes(1500);
  expect(replayed.memory.count).toBe(1);
  const short = lane({ snapshotEveryCommands: 10_000 }, fresh());
  await short.applied(3, 256);
  short.taker.start();
  await world.passes(minuteMs);
  expect(short.memory.count).toBe(0);
  await Promise.all([stopped(replayed.taker), stopped(short.taker)]);
});

it("counts the last snapshot's age through restarts", async () => {
  const origin = { timestampMs: world.nowMs - 4 * minuteMs, isReplacement: false };
  const { taker, applied, memory } = lane({}, origin);
  taker.start();
  await applied(1);
  await world.passes(59_000);
  expect(memory.count).toBe(0);
  await world.passes(2500);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('counts the age of a lane without a snapshot from its first message', async () => {
  const { taker, applied, memory } = lane({}, { timestampMs: null, isReplacement: false });
  await applied(1);
  await world.passes(5 * minuteMs);
  taker.start();
  await world.passes(1500);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('replaces a newest one that could not be used', async () => {
  const { taker, applied, memory } = lane({}, { timestampMs: world.nowMs, isReplacement: true });
  await applied(1);
  taker.start();
  await world.passes(1500);
  expect(memory.count).toBe(1);
  await stopped(taker);
});

it('tries again what failed, ever more slowly, and forgets no work over it', async () => {
  let fails = 2;
  let tries = 0;
  const { taker, applied, memory } = lane({ snapshotEveryCommands: 1000 }, fresh(), (store) => ({
    ...store,
    create: (header) => {
      tries += 1;
      fails -= 1;
      return fails >= 0 ? Promise.reject(new Error('EIO')) : store.create(header);
    },
  }));
  taker.start();
  await applied(4, 256);
  expect([tries, memory.count]).toEqual([1, 0]);
  await world.passes(3000);
  expect(tries).toBe(1);
  await world.passes(3000);
  expect([tries, memory.count]).toEqual([2, 0]);
  await world.passes(8000);
  expect(tries).toBe(2);
  await world.passes(4000);
  expect([tries, memory.count]).toEqual([3, 1]);
  expect(alarms).toEqual(['snapshot_failed', 'snapshot_failed']);
  await stopped(taker);
});

it('takes one on demand where nothing else would', async () => {
  const { taker, applied, memory } = lane({}, fresh());
  await applied(1);
  taker.start();
  await world.passes(minuteMs);
  expect(memory.count).toBe(0);
  taker.demand();
  await world.passes(1500);
  expect(memory.count).toBe(1);
  await stopped(taker);
});
