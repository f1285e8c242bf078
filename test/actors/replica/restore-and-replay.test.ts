import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SnapshotEncoder } from '../../../src/actors/recovery/snapshots/format.ts';
import { readInParts } from '../../../src/actors/recovery/snapshots/parts.ts';
import { mayBeInBatch } from '../../../src/actors/replica/channel-commands.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { type LaneEngine, restoreLane } from '../../../src/jackpot/lane/lane.ts';
import { sha256 } from '../../../src/lib/hashes.ts';
import { finish } from '../../../src/lib/turns.ts';
import { decodeOutcomeRecord, encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { StoredCommand } from '../../../src/ports.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { contribution, running } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';

const commandsPerHistory = 150;
const playersOfMany = 2_500;
const perMessage = 100;
const partBytes = 4096;
const lane = 0;

/** A snapshot is begun at `begun`, and written while `during` more messages are applied; after `crashed` the process dies. */
interface Life {
  readonly begun: number;
  readonly during: number;
  readonly crashed: number;
}

const anywhere = fc.nat(10_000);
const begun = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: anywhere });
const lives = fc.array(fc.record({ begun, during: fc.nat(12), crashed: anywhere }), {
  minLength: 1,
  maxLength: 3,
});

it('a lane that is restored anywhere and replays the log is the one that never stopped', async () => {
  const seen = { restored: 0, duplicates: 0, epochs: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), lives, async (seed, planned) => {
      const log = historyOf(seed);
      const whole = emptyReplica();
      const records = log.map((stored) => whole.apply(stored).record);
      let replica = emptyReplica();
      for (const life of planned) {
        replica = await livedAndRestored(replica, life, log, records);
        if (replica.appliedSequence > 0) seen.restored += 1;
      }
      replayed(replica, log, records);
      expectEqual(replica, whole, log);
      seen.duplicates += retried(replica, whole, log);
      for (const instance of whole.engine.instances())
        seen.epochs += whole.engine.epochs(instance)?.length ?? 0;
    }),
    { numRuns: 12 },
  );
  expect(seen.restored).toBeGreaterThan(3);
  expect(seen.duplicates).toBeGreaterThan(50);
  expect(seen.epochs).toBeGreaterThan(20);
});

it('so is a lane with more keys and players than a step of the restoration enters', async () => {
  const log = historyOfMany();
  const whole = emptyReplica();
  const records = log.map((message) => whole.apply(message).record);
  const life = { begun: 26, during: 2, crashed: 3 };
  const replica = await livedAndRestored(emptyReplica(), life, log, records);
  expect(replica.appliedSequence).toBe(life.begun);
  expect(replica.engine.keys().count).toBeGreaterThan(2 * 1024);
  replayed(replica, log, records);
  expectEqual(replica, whole, log);
  expect(retried(replica, whole, log)).toBe(playersOfMany);
});

/** Each player contributes twice, with a key the first time only. Ids of two players are long, and one is not of ASCII. */
function historyOfMany(): readonly StoredCommand[] {
  const messages = Array.from({ length: (2 * playersOfMany) / perMessage }, (_, message) =>
    Array.from({ length: perMessage }, (_, at) => {
      const number = message * perMessage + at;
      const id = createHash('sha256').update(String(number)).digest();
      return contribution({
        contributionId: new Uint8Array(id.subarray(0, 16)),
        player: playerOf(number % playersOfMany),
        country: number % 3 === 0 ? 'DE' : 'SE',
        baseWagerAtoms: BigInt(1 + (number % 5)) * 100_000_000n,
        idempotencyKey: number < playersOfMany ? new Uint8Array(id.subarray(16)) : null,
      });
    }),
  );
  return [running(threePots()), ...messages].map((commands, at) => stored(at + 1, 1_000 + at, commands));
}

function playerOf(number: number): string {
  if (number === 1) return 'ö'.repeat(7);
  return number < 4 ? `${number}-${'long'.repeat(10)}` : `player-${number}`;
}

/** Random commands of every kind, as the log stores them. */
function historyOf(seed: number): readonly StoredCommand[] {
  const run = new MixedRun(seed);
  for (let commands = run.begin(); run.commands < commandsPerHistory; commands = run.next())
    run.apply(commands);
  return run.lane.log.map(({ sequence, timestampMs, commands }) => stored(sequence, timestampMs, commands));
}

function stored(sequence: number, timestampMs: number, commands: readonly Command[]): StoredCommand {
  const channel = commands.every(mayBeInBatch) ? 'batch' : 'control';
  const batchId = new Uint8Array(16).fill(sequence % 256);
  const bytes = encodeCommandBatch({ batchId, gateway: 'gateway', commands });
  return { lane, sequence, channel, timestampMs, bytes };
}

function emptyReplica(): Replica {
  return new Replica(lane, newLane(settings), testHashing, firstLaneHead);
}

/** One life of a process: it goes on from `replica`, takes a snapshot, dies, and the next one restores what it left. */
async function livedAndRestored(
  replica: Replica,
  { begun, during, crashed }: Life,
  log: readonly StoredCommand[],
  records: readonly Uint8Array[],
): Promise<Replica> {
  const left = log.length - replica.appliedSequence;
  replayed(replica, log, records, replica.appliedSequence + (begun % (left + 1)));
  const header = {
    lane,
    sequence: replica.appliedSequence,
    timestampMs: replica.engine.timestampMs,
    laneHead: replica.laneHead,
  };
  const encoder = new SnapshotEncoder();
  const bytes = [encoder.begin(header)];
  const until = Math.min(log.length, header.sequence + during);
  for (const chunk of replica.engine.snapshot()) {
    bytes.push(encoder.frame(chunk), chunk.slice());
    if (replica.appliedSequence < until) replayed(replica, log, records, replica.appliedSequence + 1);
  }
  bytes.push(encoder.end());
  // What it applies behind the snapshot dies with it.
  replayed(
    replica,
    log,
    records,
    replica.appliedSequence + (crashed % (log.length - replica.appliedSequence + 1)),
  );
  return restored(Buffer.concat(bytes));
}

async function restored(file: Uint8Array): Promise<Replica> {
  const snapshot = await readInParts(inParts(file));
  if (snapshot === null) throw new Error('the snapshot is torn');
  const engine = finish(restoreLane(snapshot.chunks, testHashing, settings));
  return new Replica(lane, engine, testHashing, new Uint8Array(snapshot.laneHead));
}

async function* inParts(file: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < file.length; at += partBytes) yield file.slice(at, at + partBytes);
}

/** Applies the log up to `last`: each record is the one that was stored, to the byte. */
function replayed(
  replica: Replica,
  log: readonly StoredCommand[],
  records: readonly Uint8Array[],
  last = log.length,
): void {
  for (let at = replica.appliedSequence; at < last; at += 1) {
    const { record } = replica.apply(log[at]!);
    expect(Buffer.compare(record, records[at]!), `record ${at + 1}`).toBe(0);
  }
}

function expectEqual(replica: Replica, whole: Replica, log: readonly StoredCommand[]): void {
  expect(replica.appliedSequence).toBe(log.length);
  expect(replica.laneHead).toEqual(whole.laneHead);
  expect(digestOf(replica.engine)).toEqual(digestOf(whole.engine));
  expect(replica.engine.keys()).toEqual(whole.engine.keys());
  expect(replica.engine.nextDeadline()).toEqual(whole.engine.nextDeadline());
  expect(replica.engine.jobs()).toEqual(whole.engine.jobs());
  expect(replica.engine.epochTasks()).toEqual(whole.engine.epochTasks());
  expect([...replica.engine.instances()]).toEqual([...whole.engine.instances()]);
  for (const instance of whole.engine.instances()) {
    expect(replica.engine.epochs(instance)).toEqual(whole.engine.epochs(instance));
    expect(replica.engine.closing(instance)).toEqual(whole.engine.closing(instance));
    expect(replica.engine.liveValues(instance)).toEqual(whole.engine.liveValues(instance));
  }
}

/** Every command with a key is sent again: both answer the same. Returns how many met their first answer. */
function retried(replica: Replica, whole: Replica, log: readonly StoredCommand[]): number {
  let duplicates = 0;
  for (const { bytes, channel } of log) {
    const [sequence, timestampMs] = [whole.appliedSequence + 1, whole.engine.timestampMs];
    const again = { lane, sequence, channel, timestampMs, bytes };
    const expected = whole.apply(again);
    const actual = replica.apply(again);
    expect(Buffer.compare(actual.record, expected.record), `retry at ${sequence}`).toBe(0);
    const { outcomes } = decodeOutcomeRecord(actual.record);
    duplicates += outcomes.filter(({ kind }: CommandOutcome) => kind === 'Duplicate').length;
  }
  expect(replica.laneHead).toEqual(whole.laneHead);
  return duplicates;
}

function digestOf(engine: LaneEngine): Uint8Array {
  let digest: Uint8Array = new Uint8Array(0);
  for (const chunk of engine.snapshot()) digest = sha256(Buffer.concat([digest, chunk]));
  return digest;
}
