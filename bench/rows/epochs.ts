import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHashing } from '../../src/actors/epochs/keys/hashing.ts';
import { EpochPublisher } from '../../src/actors/epochs/publisher.ts';
import { spoolFileOpener } from '../../src/actors/epochs/spool.ts';
import { type ActorPorts, defaultActorSettings } from '../../src/actors/ports/actor-ports.ts';
import { openSnapshotFiles } from '../../src/actors/recovery/snapshots/files.ts';
import { enginesOf } from '../../src/actors/replica/engines.ts';
import { firstLaneHead, Replica } from '../../src/actors/replica/replica.ts';
import { openWitness } from '../../src/actors/witness/witness-files.ts';
import { createLane } from '../../src/jackpot/lane/lane.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import { decodeCommandBatch, encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Log, StoredCommand } from '../../src/ports.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { startNatsServer } from '../../test/support/nats-server.ts';
import { contribution, epochCommands, setUp } from '../engine.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';

const roundsPerRun = 3;
const contributions = 120_000;
const commandsPerBatch = 240;
const epochs = 20;
const players = 10_000;
const mustRatio = 0.08;
const readyWithinMs = 300_000;
const lane = 0;
/** Seeds need no secrecy here. */
const hashing = createHashing({ unseal: (_keyId, sealed) => sealed });

interface LaneLog {
  readonly instances: number;
  readonly messages: readonly Uint8Array[];
  readonly engine: { readonly epochMs: number; readonly epochSequences: number };
}

interface Round {
  readonly published: number;
  readonly replayed: number;
}

/**
 * The log of a lane with many epochs: each draw written down and published, against the same log replayed
 * once.
 */
export async function measure(): Promise<Row> {
  const logs = [logOf(1), logOf(60)];
  const rounds: Round[][] = logs.map(() => []);
  for (let round = 0; round < roundsPerRun; round += 1)
    for (const [index, log] of logs.entries()) rounds[index]!.push(await measureRound(log));
  return {
    name: 'epochs',
    title: 'Epochs published beside a lane, against one replay of its log',
    figures: logs.map(({ instances }, index) => figureOf(instances, rounds[index]!)),
    notes: [
      `${contributions.toLocaleString('en-US')} contributions, ${commandsPerBatch} a message, to all instances in turn; each instance has ${epochs} epochs, and none is published when it begins`,
      'done when the last epoch is in the archive: found, replayed, drawn, written as JSON, stored; without the pauses that leave the core to the lane',
      'the replay decodes and applies the same messages from the same server and writes nothing down',
    ],
    processors: [],
  };
}

function figureOf(instances: number, rounds: readonly Round[]): Figure {
  const ratio = spread(rounds.map(({ published, replayed }) => published / replayed));
  return {
    name: `contributions a second, ${instances} × ${epochs} epochs`,
    unit: '/s',
    ours: spread(rounds.map(({ published }) => published)),
    yardstick: { name: 'one replay', value: spread(rounds.map(({ replayed }) => replayed)) },
    ratio,
    must: `${mustRatio} of one replay, whatever the number of instances`,
    aim: '0.2',
    reached: ratio.median >= mustRatio,
  };
}

/** Everything that the lane's owner and its gateways would have written. */
function logOf(instances: number): LaneLog {
  const settings = { epochMs: 86_400_000, epochSequences: contributions / instances / epochs };
  const engine = createLane(hashing, settings);
  const messages: Uint8Array[] = [];
  const write = (commands: readonly Command[]): void => {
    const sequence = engine.appliedSequence + 1;
    engine.apply({ sequence, timestampMs: Date.now(), commands });
    const batchId = Buffer.alloc(16);
    batchId.writeUInt32BE(sequence);
    messages.push(encodeCommandBatch({ batchId, gateway: '', commands }));
  };
  write(setUp(instances));
  const options = { contributions: 0, batch: commandsPerBatch, players: players, instances };
  for (let made = 0; made < contributions; made += commandsPerBatch) {
    write(Array.from({ length: commandsPerBatch }, (_, at) => contribution(made + at, options)));
    for (const commands of epochCommands(engine)) write(commands);
  }
  return { instances, messages, engine: settings };
}

async function measureRound(made: LaneLog): Promise<Round> {
  const server = await startNatsServer();
  const directory = mkdtempSync(join(tmpdir(), 'potstream-bench-'));
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  try {
    await log.prepare(1);
    for (const [index, bytes] of made.messages.entries())
      await log.append(lane, 'control', bytes, { messageId: `m${index}` });
    const replica = new Replica(lane, createLane(hashing, made.engine), hashing, firstLaneHead);
    await followTo(log, made.messages.length, (stored) => void replica.apply(stored));
    const replayed = await perSecond(() => replayOnce(log, made));
    const published = await perSecond(() => publishAll(log, bus, directory, replica, made));
    return { published, replayed };
  } finally {
    await Promise.all([log.close(), bus.close()]);
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function replayOnce(log: Log, made: LaneLog): Promise<void> {
  const engine = createLane(hashing, made.engine);
  await followTo(log, made.messages.length, ({ bytes, sequence, timestampMs }) => {
    engine.apply({ sequence, timestampMs, ...decodeCommandBatch(bytes) });
  });
}

async function publishAll(
  log: Log,
  bus: ActorPorts['bus'],
  directory: string,
  replica: Replica,
  made: LaneLog,
): Promise<void> {
  let published = 0;
  const alarms: string[] = [];
  const clock = { ...systemClock, after: (_delayMs: number, task: () => void) => soon(task) };
  const publisher = new EpochPublisher(
    replica,
    {
      log,
      bus,
      clock,
      random: systemRandom,
      hashing,
      keyRing: { currentKeyId: '', seal: never, unseal: never, rotate: never },
      snapshots: openSnapshotFiles(join(directory, 'snapshots')),
      witness: await openWitness(
        { dataDirectory: directory, secondDirectory: null, host: 'bench' },
        'bench',
        systemClock,
        (message) => void alarms.push(message),
      ),
      openSpoolFile: spoolFileOpener(join(directory, 'epochs'), systemRandom),
      openJournal: journalOpener(log, clock),
      engines: enginesOf(hashing, made.engine),
      monitor: {
        applied: () => {},
        snapshotStored: () => {},
        recovered: () => {},
        stopwatchSeconds: () => 0,
        alarm: (_lane, _code, message) => void alarms.push(message),
        notice: (_lane, message) => {
          if (message.endsWith('is published.')) published += 1;
        },
      },
    },
    defaultActorSettings.epochPage,
  );
  publisher.start();
  await until(() => published === made.instances * epochs || alarms.length > 0);
  await publisher.stop();
  if (alarms.length > 0) throw new Error(alarms.join());
}

async function followTo(log: Log, last: number, take: (stored: StoredCommand) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const follower = log.follow(lane, 1, {
      message(stored) {
        take(stored);
        if (stored.sequence === last) void follower.stop().then(resolve, reject);
      },
    });
    follower.done.catch(reject);
  });
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return contributions / ((performance.now() - began) / 1000);
}

async function until(done: () => boolean): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (!done()) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Pauses leave the core to a lane that has work: here there is none. */
function soon(task: () => void): () => void {
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}

function never(): never {
  throw new Error('nothing is sealed here');
}
