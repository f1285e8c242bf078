import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { EpochReplay } from '../../../../src/actors/epochs/replay.ts';
import type { ActorPorts } from '../../../../src/actors/ports/actor-ports.ts';
import { OutcomeRebuilder } from '../../../../src/actors/recovery/outcome-rebuilder.ts';
import { endMark, SnapshotEncoder } from '../../../../src/actors/recovery/snapshots/format.ts';
import { partsOfBytes } from '../../../../src/actors/recovery/snapshots/parts.ts';
import { Quarantines } from '../../../../src/actors/replica/quarantines.ts';
import { createLane, type LaneEngine } from '../../../../src/jackpot/lane/lane.ts';
import { nextTurn } from '../../../../src/lib/turns.ts';
import { testHashing as hashing } from '../../../jackpot/support/hashing.ts';
import { settings } from '../../../jackpot/support/lane.ts';

const lane = 0;
const stepsOfARestoration = 40;

/** Its checksum is right; `isBroken`: its last frame is longer than what follows. */
function snapshotOf(sequence: number, isBroken = false): Uint8Array {
  const encoder = new SnapshotEncoder();
  const begin = encoder.begin({ lane, sequence, timestampMs: 1, laneHead: new Uint8Array(32) });
  const chunk = new Uint8Array(8);
  const framed = Array.from({ length: stepsOfARestoration }, () => [encoder.frame(chunk), chunk]).flat();
  const covered = Buffer.concat([begin, ...framed, isBroken ? Buffer.of(0, 0, 0, 9) : Buffer.of()]);
  const end = Buffer.alloc(8);
  end.writeUInt32BE(endMark, 0);
  end.writeUInt32BE(crc32(covered), 4);
  return Buffer.concat([covered, end]);
}

/** Snapshots as files; a restoration takes a step for each chunk, and no time by the stopwatch. */
function world(files: ReadonlyMap<number, Uint8Array>) {
  const seen = { pauses: 0, follows: 0, steps: 0 };
  const engine: LaneEngine = createLane(hashing, settings);
  const ports = {
    clock: {
      elapsedMs: () => 0,
      after(_delayMs: number, task: () => void) {
        seen.pauses += 1;
        setImmediate(task);
        return () => {};
      },
    },
    monitor: { alarm: () => {}, stopwatchSeconds: () => 0 },
    hashing,
    log: {
      archive: async () => ({ list: async () => [] }),
      nextCommand: async () => null,
      readOutcome: async () => null,
      follow() {
        seen.follows += 1;
        return { done: new Promise(() => {}), stop: async () => {} };
      },
    },
    snapshots: {
      list: async () => [...files.keys()].map((sequence) => ({ sequence, timestampMs: 1 })),
      readParts: async (_lane: number, { sequence }: { sequence: number }) =>
        partsOfBytes(files.get(sequence)!),
    },
    engines: {
      create: () => createLane(hashing, settings),
      *restore(chunks: Iterable<Uint8Array>) {
        for (const _ of chunks) {
          seen.steps += 1;
          yield;
        }
        return engine;
      },
    },
  } as unknown as ActorPorts;
  return { ports, seen, engine };
}

function replayOf(ports: ActorPorts, stopped: () => boolean = () => false): EpochReplay {
  return new EpochReplay(lane, ports, () => 0, stopped, Quarantines.none);
}

it('an older snapshot is taken where the frames of a newer one are broken', async () => {
  const files = new Map([
    [20, snapshotOf(20, true)],
    [10, snapshotOf(10)],
  ]);
  const { ports, engine } = world(files);
  expect(await replayOf(ports).restored(30, () => true)).toBe(engine);
});

it('a restoration for epochs pauses after each step, and stops at the next one', async () => {
  const { ports, seen } = world(new Map([[10, snapshotOf(10)]]));
  await replayOf(ports).restored(30, () => true);
  expect(seen.pauses).toBeGreaterThanOrEqual(stepsOfARestoration);
  seen.steps = 0;
  const stopping = replayOf(ports, () => seen.steps === 2).restored(30, () => true);
  await expect(stopping).rejects.toMatchObject({ code: 'stopped' });
  expect(seen.steps).toBe(2);
});

it('a lost outcome is not looked for once its lane has stopped', async () => {
  const { ports, seen } = world(new Map());
  const rebuilder = new OutcomeRebuilder(lane, ports);
  const record = rebuilder.record(5, 1_000);
  rebuilder.stop();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(await record).toBeNull();
  expect(seen.follows).toBe(0);
});
