import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createHashing } from '../../src/actors/epochs/keys/hashing.ts';
import { openKeyRing } from '../../src/actors/epochs/keys/key-ring.ts';
import { spoolFileOpener } from '../../src/actors/epochs/spool.ts';
import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import {
  type ActorPorts,
  type ActorSettings,
  defaultActorSettings,
} from '../../src/actors/ports/actor-ports.ts';
import type { Witness } from '../../src/actors/ports/witness.ts';
import { openSnapshotFiles } from '../../src/actors/recovery/snapshots/files.ts';
import { mayBeInBatch } from '../../src/actors/replica/channel-commands.ts';
import { enginesOf } from '../../src/actors/replica/engines.ts';
import type { Reach } from '../../src/cli/doctor/reach.ts';
import { readSettings } from '../../src/config/settings.ts';
import { encodeDirectoryValue } from '../../src/contracts/directory/directory.ts';
import { directoryKey } from '../../src/contracts/directory/directory-keys.ts';
import { archiveStream, commandStream, querySubject, replySubject } from '../../src/log/base/names.ts';
import { connectBus, connectLog } from '../../src/log/jetstream/connect.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import type { ReceivedReply } from '../../src/messages/bus-messages.ts';
import {
  decodeBatchReply,
  decodeLaneQueryAnswer,
  encodeCommandBatch,
  encodeLaneQueryRequest,
} from '../../src/messages/codec/codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../src/messages/queries.ts';
import {
  type AppendResult,
  type ArchiveName,
  type Bus,
  type CommandChannel,
  type Log,
  LogError,
} from '../../src/ports.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { brand, createInstance, setStatus } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { ends } from '../support/ends.ts';
import { makeSystemOn } from '../support/made-system.ts';
import { MemoryWitness } from '../support/memory-witness.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';

const patienceMs = 60_000;
export const lane = 0;
export const salt = new Uint8Array(32).fill(7);

/** This world answers itself here. */
const echoSubject = querySubject(999);

export interface SentBatch {
  readonly batchId: Uint8Array;
  readonly bytes: Uint8Array;
  readonly sequence: number;
  readonly duplicate: boolean;
}

/** A nats-server, a data directory, actor hosts on them, and a gateway that is only a few lines. */
export class ActorWorld {
  readonly log: Log;
  readonly bus: Bus;
  readonly dataDirectory: string;
  readonly alarms: string[] = [];
  readonly replies = new Map<string, ReceivedReply>();
  /** What hosts that start from here on know of the log; a test may open the real files instead. */
  witness: Witness = new MemoryWitness();
  readonly #hosts = new Set<Pick<ActorHost, 'abort'>>();
  readonly #connections: { close(): Promise<void> }[] = [];
  readonly #server: TestNatsServer;

  private constructor(server: TestNatsServer, log: Log, bus: Bus, dataDirectory: string) {
    this.#server = server;
    this.log = log;
    this.bus = bus;
    this.dataDirectory = dataDirectory;
    bus.subscribe(echoSubject, (message) => message.respond(message.bytes));
    bus.subscribe(replySubject('g1'), (message) => {
      const reply = decodeBatchReply(message.bytes);
      this.replies.set(hex(reply.batchId), reply);
    });
  }

  static async open(): Promise<ActorWorld> {
    const server = await startNatsServer();
    const [log, bus] = await Promise.all([connectLog(reachOf(server)), connectBus(reachOf(server))]);
    await makeSystemOn(log, 1);
    const directory = await mkdtemp(join(tmpdir(), 'potstream-test-actors-'));
    const world = new ActorWorld(server, log, bus, directory);
    await world.putBrand();
    return world;
  }

  async close(): Promise<void> {
    for (const host of [...this.#hosts].toReversed()) await ends('a host', host.abort());
    const connections = [this.log, this.bus, ...this.#connections];
    await ends('a connection', Promise.all(connections.map((each) => each.close())));
    await ends('nats-server', this.#server.stop());
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  /** It is aborted when the world closes, if not before. */
  keep(host: Pick<ActorHost, 'abort'>): void {
    this.#hosts.add(host);
  }

  killServer = (): Promise<void> => this.#server.kill();
  /** Resolves once the gateway of this world would get replies again: core NATS loses those that come before. */
  restartServer = async (): Promise<void> => {
    await this.#server.restart();
    await this.until(() => this.#hears(), 'the bus is reached');
  };
  shutDownServer = (): Promise<void> => this.#server.shutDown();

  /** Stops the server, does something to its files, and starts it; resolves when the log is reached again. */
  async onStoppedServer(work: () => Promise<void>): Promise<void> {
    await this.shutDownServer();
    await work();
    await this.restartServer();
    const reached = (): Promise<boolean> =>
      // Commands, outcomes and tables have a connection each: any of them may be back last.
      Promise.all([this.log.prepare(1), this.log.lastCommand(lane), this.log.lastOutcome(lane)]).then(
        () => true,
        () => false,
      );
    await this.until(reached, 'the log is reached');
  }

  /** How other commands reach the server, as settings and as the doctor finds it. */
  reachInEnvironment(): Record<string, string> {
    const { url, user, password } = this.#server;
    return { POTSTREAM_NATS_URL: url, POTSTREAM_NATS_USER: user, POTSTREAM_NATS_PASSWORD: password };
  }

  reach(): Reach {
    const settings = readSettings({ POTSTREAM_DATA: this.dataDirectory, ...this.reachInEnvironment() });
    return { settings, monitorUrl: this.#server.monitorUrl };
  }

  /** Sets max_bytes of streams by hand, as somebody with the server's own tools does. */
  async limit(maxBytes: Readonly<Record<string, number>>): Promise<void> {
    const { url, user, password } = this.#server;
    const client = await connect({ servers: url, user, pass: password });
    const manager = await jetstreamManager(client);
    for (const [stream, max_bytes] of Object.entries(maxBytes)) {
      await manager.streams.update(stream, { max_bytes });
    }
    await client.close();
  }

  /** The files of the lane's command stream. */
  get commandFiles(): string {
    return this.filesOf(commandStream(lane));
  }

  filesOf(stream: string): string {
    return join(this.#server.storeDirectory, 'jetstream/$G/streams', stream);
  }

  /** All of JetStream's files. */
  get storeDirectory(): string {
    return this.#server.storeDirectory;
  }

  /** Of every object of the archive the first chunk, as where the server lost a file of the archive. */
  async loseArchivedChunks(archive: ArchiveName): Promise<void> {
    const { url, user, password } = this.#server;
    const nats = await connect({ servers: url, user, pass: password });
    const manager = await jetstreamManager(nats);
    const stream = archiveStream(archive);
    const { state } = await manager.streams.info(stream, { subjects_filter: `$O.${archive}.C.>` });
    for (const last_by_subj of Object.keys(state.subjects ?? {})) {
      const chunk = await manager.streams.getMessage(stream, { last_by_subj });
      if (chunk !== null) await manager.streams.deleteMessage(stream, chunk.seq);
    }
    await nats.close();
  }

  /** The server has this connection's subscriptions before what it sends behind them. */
  #hears(): Promise<boolean> {
    return this.bus.request(echoSubject, new Uint8Array(0), 1_000).then(
      () => true,
      () => false,
    );
  }

  /** Starts a host with connections of its own; `through` stands between it and the log. */
  async startHost(
    name: string,
    changes: Partial<ActorSettings> = {},
    through = (log: Log): Log => log,
  ): Promise<ActorHost> {
    // A host asks for no limits of its own: those that a test sets by hand stay.
    const { maxStreamBytes: _, ...reach } = reachOf(this.#server);
    const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
    this.#connections.push(log, bus);
    const ports = this.ports(through(log), bus, changes.engine);
    const host = new ActorHost([lane], ports, { ...this.settings(name), ...changes });
    this.keep(host);
    await host.start();
    return host;
  }

  ports(log: Log, bus: Bus, engine = this.settings('').engine): ActorPorts {
    const keyRing = openKeyRing(join(this.dataDirectory, 'keys'), systemRandom);
    const hashing = createHashing(keyRing);
    return {
      log,
      bus,
      clock: systemClock,
      random: systemRandom,
      hashing,
      keyRing,
      snapshots: openSnapshotFiles(join(this.dataDirectory, 'snapshots')),
      openSpoolFile: spoolFileOpener(join(this.dataDirectory, 'epochs'), systemRandom),
      witness: this.witness,
      openJournal: journalOpener(log, systemClock),
      engines: enginesOf(hashing, engine),
      monitor: {
        applied: () => {},
        snapshotStored: () => {},
        recovered: () => {},
        stopwatchSeconds: () => 0,
        alarm: (_lane, code, message) => this.alarms.push(`${code}: ${message}`),
        notice: () => {},
      },
    };
  }

  settings(host: string): ActorSettings {
    const engine = { epochMs: 86_400_000, epochSequences: 2 ** 20 };
    return { ...defaultActorSettings, host, engine, snapshotEveryMessages: 50, snapshotRestMs: 0 };
  }

  async owned(host: ActorHost): Promise<void> {
    await this.until(() => host.unready() === null, 'the host is ready');
  }

  /** Stores one message of the test: a batch of its gateway, or what only owners and the wallet role write, on their channel. */
  async send(commands: readonly Command[], batchId: Uint8Array = randomBytes(16)): Promise<SentBatch> {
    const bytes = encodeCommandBatch({ batchId, gateway: 'g1', commands });
    const channel = commands.every(mayBeInBatch) ? 'batch' : 'control';
    const result = await this.#append(bytes, hex(batchId), channel);
    if (result.kind !== 'stored') throw new Error('a batch has no fence');
    return { batchId, bytes, sequence: result.sequence, duplicate: result.duplicate };
  }

  /** As a gateway does: the same bytes under the same id until somebody says that they are stored. */
  async #append(bytes: Uint8Array, messageId: string, channel: CommandChannel): Promise<AppendResult> {
    for (let left = 20; ; left -= 1) {
      try {
        return await this.log.append(lane, channel, bytes, { messageId });
      } catch (error) {
        if (left === 0 || !(error instanceof LogError && error.code === 'unknown')) throw error;
      }
    }
  }

  async reply(sent: { readonly batchId: Uint8Array }): Promise<ReceivedReply> {
    const id = hex(sent.batchId);
    await this.until(() => this.replies.has(id), 'the reply comes');
    return this.replies.get(id) as ReceivedReply;
  }

  async query(query: LaneQuery, minSequence = 0): Promise<LaneQueryAnswer> {
    const request = encodeLaneQueryRequest({ minSequence, query });
    return decodeLaneQueryAnswer(await this.bus.request(querySubject(lane), request, patienceMs));
  }

  /** Waits for the records of all messages that are stored by now: an owner answers and applies before it stores them. */
  async outcomesStored(): Promise<number> {
    const last = await this.log.lastCommand(lane);
    await this.until(async () => (await this.log.lastOutcome(lane)) >= last, 'every outcome is stored');
    return last;
  }

  /** An Active instance `jackpot`; its creation is answered before the status is asked for. */
  async activeInstance(instance = 'jackpot', configuration = threePots()): Promise<void> {
    await this.reply(await this.send([createInstance(configuration, { instance })]));
    const activated = await this.reply(await this.send([setStatus('Active', instance)]));
    if (activated.outcomes[0]?.kind !== 'Done') throw new Error(JSON.stringify(activated.outcomes[0]));
  }

  async putBrand(path = brand, changes: { readonly wallet?: boolean } = {}): Promise<number> {
    const table = await this.log.table('DIRECTORY');
    const value = encodeDirectoryValue('brand', {
      name: 'Main',
      enabled: true,
      created_timestamp: 0,
      salt: Buffer.from(salt).toString('base64url'),
      ...changes,
    });
    const present = await table.get(directoryKey.brand(path));
    return (await table.put(directoryKey.brand(path), value, present?.revision ?? 0)) as number;
  }

  async putRates(multipliers: Record<string, string>, expectedRevision = 0): Promise<number> {
    const table = await this.log.table('DIRECTORY');
    const value = encodeDirectoryValue('rates', { base_currency: 'EUR', multipliers, updated: Date.now() });
    return (await table.put(directoryKey.rates(''), value, expectedRevision)) as number;
  }

  async until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadlineMs = performance.now() + patienceMs;
    while (!(await done())) {
      if (performance.now() > deadlineMs) throw new Error(`${what}: did not happen. ${this.alarms.join()}`);
      await delay(5);
    }
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function reachOf(server: TestNatsServer) {
  return {
    servers: [server.url],
    user: server.user,
    password: server.password,
    replicas: 1,
    maxStreamBytes: 64 * 1024 * 1024,
  };
}
