import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHashing } from '../../src/actors/epochs/keys/hashing.ts';
import { openKeyRing } from '../../src/actors/epochs/keys/key-ring.ts';
import { spoolFileOpener } from '../../src/actors/epochs/spool.ts';
import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import { defaultActorSettings } from '../../src/actors/ports/actor-ports.ts';
import { openSnapshotFiles } from '../../src/actors/recovery/snapshots/files.ts';
import { enginesOf } from '../../src/actors/replica/engines.ts';
import { createActorMetrics } from '../../src/actors/watches/metrics.ts';
import { openWitness } from '../../src/actors/witness/witness-files.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import { decodeCommandBatch, encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Log } from '../../src/ports.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { startNatsServer, type TestNatsServer } from '../../test/support/nats-server.ts';
import { contribution, create, idOf } from '../engine.ts';
import type { Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';

const roundsPerRun = 3;
/** Not counted: they make the players, as on an instance that has been running. */
const warmUpBatches = 800;
const batches = 1_600;
const commandsPerBatch = 256;
const inFlight = 8;
const players = 100_000;
const mustRatio = 0.35;
const mustRatios = 100_000;
const readyWithinMs = 20_000;

/**
 * One hot instance with its producer in the same process: log, engine, OUT, chain, players, double entry and
 * all.
 */
export async function measure(): Promise<Row> {
  const messages = Array.from({ length: warmUpBatches + batches }, (_, n) => batchOf(n));
  const ours: number[] = [];
  const followed: number[] = [];
  for (let round = 0; round < roundsPerRun; round += 1) {
    followed.push(await onFreshServer((server) => publishAndFollow(server, messages)));
    ours.push(await onFreshServer((server) => throughTheActor(server, messages)));
  }
  const rate = spread(ours);
  const ratio = spread(ours.map((value, at) => value / (followed[at] ?? 1)));
  return {
    name: 'hot-instance',
    title: 'One hot instance, producer in process, sync always',
    figures: [
      {
        name: 'contributions a second',
        unit: '/s',
        ours: rate,
        yardstick: { name: 'same messages published and followed, not applied', value: spread(followed) },
        ratio,
        must: '0.35 and 100,000/s',
        aim: '0.8 and 350,000/s',
        reached: ratio.median >= mustRatio && rate.median >= mustRatios,
      },
    ],
    notes: [
      `${(batches * commandsPerBatch).toLocaleString('en-US')} contributions of ${players.toLocaleString('en-US')} players to one instance of three pots, ${commandsPerBatch} a message, ${inFlight} messages in flight; done when the last outcome record is stored`,
    ],
    processors: [],
  };
}

async function onFreshServer(work: (server: TestNatsServer) => Promise<number>): Promise<number> {
  const server = await startNatsServer();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function throughTheActor(server: TestNatsServer, messages: readonly Message[]): Promise<number> {
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const directory = mkdtempSync(join(tmpdir(), 'potstream-bench-'));
  const [log, producer, bus] = await Promise.all([connectLog(reach), connectLog(reach), connectBus(reach)]);
  await log.prepare(1);
  const keyRing = openKeyRing(join(directory, 'keys'), systemRandom);
  const hashing = createHashing(keyRing);
  const engine = { epochMs: 86_400_000, epochSequences: 2 ** 20 };
  const { monitor } = createActorMetrics(
    { error: (_, message) => fail(message), info: (_, message) => fail(message) },
    { statuses: () => host.statuses() },
  );
  const host: ActorHost = new ActorHost(
    [0],
    {
      log,
      bus,
      clock: systemClock,
      random: systemRandom,
      hashing,
      keyRing,
      monitor,
      snapshots: openSnapshotFiles(join(directory, 'snapshots')),
      openSpoolFile: spoolFileOpener(join(directory, 'epochs'), systemRandom),
      witness: await openWitness(
        { dataDirectory: directory, secondDirectory: null, host: 'bench' },
        'bench',
        systemClock,
        fail,
      ),
      openJournal: journalOpener(log, systemClock),
      engines: enginesOf(hashing, engine),
    },
    { ...defaultActorSettings, engine, host: 'bench' },
  );
  await host.start();
  await until(() => host.unready() === null);
  await appendAndWait(host, producer, message([brand, create(idOf(0))], 'create'));
  await until(() => (host.statuses()[0]?.appliedSequence ?? 0) >= 3);
  await appendAndWait(host, producer, message([activate], 'activate'));

  const warm = await publish(producer, messages.slice(0, warmUpBatches));
  await until(() => (host.statuses()[0]?.storedOutcome ?? 0) >= warm);
  const began = performance.now();
  const last = await publish(producer, messages.slice(warmUpBatches));
  await until(() => (host.statuses()[0]?.storedOutcome ?? 0) >= last);
  const perSecond = (batches * commandsPerBatch) / ((performance.now() - began) / 1000);

  await checkApplied(log, last);
  await host.stop();
  await Promise.all([log.close(), producer.close(), bus.close()]);
  rmSync(directory, { recursive: true, force: true });
  return perSecond;
}

async function publishAndFollow(server: TestNatsServer, messages: readonly Message[]): Promise<number> {
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const [log, producer] = await Promise.all([connectLog(reach), connectLog(reach)]);
  await log.prepare(1);
  let commands = 0;
  const follower = log.follow(0, 1, {
    message(stored) {
      commands += decodeCommandBatch(stored.bytes).commands.length;
    },
  });
  await publish(producer, messages.slice(0, warmUpBatches));
  await until(() => commands >= warmUpBatches * commandsPerBatch);
  const began = performance.now();
  await publish(producer, messages.slice(warmUpBatches));
  await until(() => commands >= messages.length * commandsPerBatch);
  const perSecond = (batches * commandsPerBatch) / ((performance.now() - began) / 1000);
  await follower.stop();
  await Promise.all([log.close(), producer.close()]);
  return perSecond;
}

interface Message {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Keeps inFlight messages on their way; the last sequence. */
async function publish(log: Log, messages: readonly Message[]): Promise<number> {
  let next = 0;
  let last = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let at = next++; at < messages.length; at = next++) {
        const { id, bytes } = messages[at]!;
        const stored = await log.append(0, 'batch', bytes, { messageId: id });
        if (stored.kind === 'stored') last = Math.max(last, stored.sequence);
      }
    }),
  );
  return last;
}

async function appendAndWait(host: ActorHost, log: Log, { id, bytes }: Message): Promise<void> {
  const stored = await log.append(0, 'control', bytes, { messageId: id });
  if (stored.kind !== 'stored') throw new Error('not stored');
  await until(() => (host.statuses()[0]?.storedOutcome ?? 0) >= stored.sequence);
}

/** A figure counts only where every contribution was applied. */
async function checkApplied(log: Log, last: number): Promise<void> {
  const { decodeOutcomeRecord } = await import('../../src/messages/codec/codec.ts');
  const stored = await log.readOutcome(0, last);
  const outcomes = stored === null ? [] : decodeOutcomeRecord(stored.bytes).outcomes;
  if (outcomes.length !== commandsPerBatch || outcomes.some((outcome) => outcome.kind !== 'Contributed'))
    throw new Error(
      `the last message was not applied as it should: ${JSON.stringify(outcomes[0], (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
    );
}

const brand: Command = {
  kind: 'SetBrand',
  brand: 'bench:main',
  salt: new Uint8Array(32),
  wallet: false,
  provider: '',
  closeRounds: false,
  verificationLimitAtoms: null,
  verificationCurrency: 'EUR',
};

const activate: Command = {
  kind: 'SetStatus',
  instance: idOf(0),
  status: 'Active',
  reason: '',
  to: '',
  user: 'bench',
  expectedVersion: null,
};

function batchOf(number: number): Message {
  const options = { contributions: 0, batch: commandsPerBatch, players: players, instances: 1 };
  const commands = Array.from({ length: commandsPerBatch }, (_, at) =>
    contribution(number * commandsPerBatch + at, options),
  );
  return message(commands, `batch-${number}`);
}

function message(commands: readonly Command[], id: string): Message {
  return { id, bytes: encodeCommandBatch({ batchId: systemRandom.bytes(16), gateway: 'bench', commands }) };
}

async function until(done: () => boolean): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (!done()) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function fail(what: unknown): void {
  process.stderr.write(`${what instanceof Error ? what.stack : String(what)}\n`);
}
