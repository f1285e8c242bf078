import {
  type AppendResult,
  type Archive,
  type ArchiveName,
  archiveNames,
  type CommandChannel,
  type Follower,
  type FollowHandlers,
  type Log,
  LogError,
  type StoredCommand,
  type StoredOutcome,
  type StreamExtent,
  type StreamFill,
  type Table,
  type TableExtent,
  type TableName,
  tableNames,
} from '../../ports.ts';
import {
  channelOfSubject,
  commandFilter,
  commandStream,
  commandSubject,
  isCommandSubject,
  tableStream,
} from '../base/names.ts';
import { makesStreams } from '../roles/permissions.ts';
import type { LogSettings } from '../roles/settings.ts';
import { streamExtent, streamFill, streamState } from './api.ts';
import type { LogConnection } from './connection.ts';
import { type BatchLimit, readMessage, readStoredBatch } from './direct-read.ts';
import { awaitStream, ensureStream } from './ensure-stream.ts';
import { JetStreamArchive } from './jetstream-archive.ts';
import { JetStreamOutcomes } from './jetstream-outcomes.ts';
import { JetStreamTable } from './jetstream-table.ts';
import { publish } from './publish.ts';
import { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';
import {
  archiveStreamConfiguration,
  auditStreamOf,
  type LimitedStream,
  laneStreams,
  type StreamConfiguration,
  tableStreamConfiguration,
  triesStreamOf,
} from './stream-configurations.ts';
import { StreamFollower } from './stream-follower.ts';
import { followLimits } from './stream-limits.ts';

const appendTimeoutMs = 2_000;

/** One connection for each purpose: a flood on one does not delay the others. */
export interface LogConnections {
  readonly commands: LogConnection;
  readonly outcomes: LogConnection;
  readonly tables: LogConnection;
}

/** The log on JetStream. */
export class JetStreamLog implements Log {
  readonly #settings: LogSettings;
  /** Whether this process makes streams; others wait for them. */
  readonly #makes: boolean;
  readonly #batch: BatchLimit | undefined;
  readonly #commands: Requester;
  readonly #outcomeRequester: Requester;
  readonly #outcomes: JetStreamOutcomes;
  readonly #tables: Requester;
  readonly #followers = new Set<StreamFollower>();
  readonly #openTables = new Map<TableName, Promise<Table>>();
  readonly #openArchives = new Map<ArchiveName, Promise<Archive>>();

  /** `batch`: what one read of commands or records brings at most. */
  constructor(settings: LogSettings, connections: LogConnections, batch?: BatchLimit) {
    this.#batch = batch;
    this.#settings = settings;
    this.#makes = settings.role === undefined || makesStreams(settings.role);
    this.#commands = new Requester(connections.commands);
    this.#outcomeRequester = new Requester(connections.outcomes);
    this.#outcomes = new JetStreamOutcomes(this.#outcomeRequester, settings.replicas, batch);
    this.#tables = new Requester(connections.tables);
  }

  async prepare(lanes: number): Promise<void> {
    for (let lane = 0; lane < lanes; lane += 1) await this.prepareLane(lane);
    await this.#ensure(auditStreamOf(this.#settings));
    await this.#ensure(triesStreamOf(this.#settings));
    for (const table of tableNames) await this.table(table);
    for (const archive of archiveNames) await this.archive(archive);
  }

  async prepareLane(lane: number): Promise<void> {
    for (const stream of laneStreams(lane, this.#settings)) await this.#ensure(stream);
  }

  async append(
    lane: number,
    channel: CommandChannel,
    bytes: Uint8Array,
    options: Parameters<Log['append']>[3],
  ): Promise<AppendResult> {
    const { messageId, expectedLastOnSubject, timeoutMs = appendTimeoutMs, traces } = options;
    const result = await publish(this.#commands, commandSubject(lane, channel), bytes, {
      messageId,
      timeoutMs,
      traces,
      ...(expectedLastOnSubject === undefined ? {} : { expectedLastOnSubject }),
    });
    if (result.kind === 'stored' || result.last >= 0) return result;
    throw new LogError('unavailable', 'Another message is just being stored on the subject.');
  }

  follow(lane: number, fromSequence: number, handlers: FollowHandlers<StoredCommand>): Follower {
    const target = { stream: commandStream(lane), filter: commandFilter(lane), gapless: true };
    const { replicas } = this.#settings;
    return this.#kept(
      new StreamFollower(this.#commands, { ...target, replicas }, async () => fromSequence, {
        message: (message) => handlers.message(toCommand(lane, message)),
        caughtUp: (lastSequence) => handlers.caughtUp?.(lastSequence),
      }),
    );
  }

  async readCommand(lane: number, sequence: number): Promise<StoredCommand | null> {
    const message = await this.#read(this.#commands, commandStream(lane), sequence);
    return message === null ? null : toCommand(lane, message);
  }

  async nextCommand(
    lane: number,
    channel: CommandChannel,
    fromSequence: number,
  ): Promise<StoredCommand | null> {
    const request = { seq: fromSequence, next_by_subj: commandSubject(lane, channel) };
    const { replicas } = this.#settings;
    const message = await readMessage(this.#commands, commandStream(lane), request, replicas);
    return message === null ? null : toCommand(lane, message);
  }

  async lastCommand(lane: number): Promise<number> {
    return (await streamState(this.#commands, commandStream(lane))).last_seq;
  }

  async lastOwn(lane: number): Promise<number> {
    const request = { last_by_subj: commandSubject(lane, 'own') };
    const { replicas } = this.#settings;
    const message = await readMessage(this.#commands, commandStream(lane), request, replicas);
    return message === null ? 0 : message.sequence;
  }

  appendOutcome(...record: Parameters<Log['appendOutcome']>): Promise<AppendResult> {
    return this.#outcomes.append(...record);
  }

  appendBlock(...block: Parameters<Log['appendBlock']>): Promise<AppendResult> {
    return this.#outcomes.appendBlock(...block);
  }

  readOutcome(lane: number, sequence: number): Promise<StoredOutcome | null> {
    return this.#outcomes.read(lane, sequence);
  }

  async lastOutcome(lane: number): Promise<number> {
    return (await this.#outcomes.places.end(lane)).record;
  }

  followOutcomes(...target: Parameters<Log['followOutcomes']>): Follower {
    return this.#kept(this.#outcomes.follow(...target));
  }

  fill(lane: number): Promise<readonly StreamFill[]> {
    const streams = laneStreams(lane, this.#settings);
    return Promise.all(streams.map(({ configuration }) => streamFill(this.#tables, configuration.name)));
  }

  async extents(lane: number): Promise<{ commands: StreamExtent; outcomes: StreamExtent }> {
    const [commands, outcomes] = await Promise.all([
      streamExtent(this.#tables, commandStream(lane)),
      this.#outcomes.places.extent(lane),
    ]);
    return { commands, outcomes };
  }

  async readCommands(lane: number, fromSequence: number): Promise<readonly StoredCommand[]> {
    const messages = await readStoredBatch(
      this.#commands,
      commandStream(lane),
      fromSequence,
      null,
      this.#batch,
    );
    return messages.map((message) => toCommand(lane, message));
  }

  readOutcomes(lane: number, fromSequence: number): Promise<readonly StoredOutcome[]> {
    return this.#outcomes.readBatch(lane, fromSequence);
  }

  async tableExtent(name: TableName): Promise<TableExtent> {
    await this.table(name);
    const { last_seq: revision, num_subjects: keys = 0 } = await streamState(this.#tables, tableStream(name));
    return { revision, keys };
  }

  table(name: TableName): Promise<Table> {
    return remember(this.#openTables, name, async () => {
      await this.#open(tableStreamConfiguration(name, this.#settings));
      return new JetStreamTable(this.#tables, name, this.#settings.replicas);
    });
  }

  archive(name: ArchiveName): Promise<Archive> {
    return remember(this.#openArchives, name, async () => {
      await this.#open(archiveStreamConfiguration(name, this.#settings));
      return new JetStreamArchive(this.#tables, name, this.#settings.replicas);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#followers].map((follower) => follower.stop()));
    const requesters = [this.#commands, this.#outcomeRequester, this.#tables];
    await Promise.all(requesters.map(({ connection }) => connection.close()));
  }

  async #ensure({ configuration, asked }: LimitedStream): Promise<void> {
    await this.#open(configuration);
    if (this.#makes) await followLimits(this.#tables, configuration.name, asked);
  }

  #open(configuration: StreamConfiguration): Promise<void> {
    return (this.#makes ? ensureStream : awaitStream)(this.#tables, configuration);
  }

  #kept(follower: StreamFollower): Follower {
    this.#followers.add(follower);
    const forget = (): void => void this.#followers.delete(follower);
    follower.done.then(forget, forget);
    return follower;
  }

  #read(requester: Requester, stream: string, sequence: number): Promise<StoredMessage | null> {
    return readMessage(requester, stream, { seq: sequence }, this.#settings.replicas);
  }
}

/** A message that nats-server stored for a role without the permission counts as a gateway's. */
function toCommand(lane: number, message: StoredMessage): StoredCommand {
  const { sequence, timestampMs, bytes, subject, relayed, traces } = message;
  const channel = relayed || !isCommandSubject(subject) ? 'batch' : channelOfSubject(subject);
  if (channel === undefined) throw new LogError('corrupt', `A command has the subject ${subject}.`);
  return { lane, sequence, channel, timestampMs, bytes, traces };
}

/** Opens once; tries again after a failure. */
function remember<K, V>(open: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = open.get(key);
  if (known !== undefined) return known;
  const made = make();
  open.set(key, made);
  made.catch(() => open.delete(key));
  return made;
}
