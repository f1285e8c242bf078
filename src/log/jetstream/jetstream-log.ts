import { setTimeout as sleep } from 'node:timers/promises';
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
  type OutcomeRouting,
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
  isOutcomeSubject,
  outcomeFilter,
  outcomeStream,
  outcomeSubject,
  tableStream,
} from '../base/names.ts';
import { makesStreams } from '../roles/permissions.ts';
import type { LogSettings } from '../roles/settings.ts';
import { streamExtent, streamFill, streamState } from './api.ts';
import type { LogConnection } from './connection.ts';
import { type BatchLimit, readMessage, readStoredBatch } from './direct-read.ts';
import { awaitStream, ensureStream } from './ensure-stream.ts';
import { JetStreamArchive } from './jetstream-archive.ts';
import { JetStreamTable } from './jetstream-table.ts';
import { publish } from './publish.ts';
import { RecordParts, wholeRecordBytes } from './record-parts.ts';
import { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';
import {
  archiveStreamConfiguration,
  auditStreamOf,
  type LimitedStream,
  laneStreams,
  type StreamConfiguration,
  tableStreamConfiguration,
} from './stream-configurations.ts';
import { StreamFollower } from './stream-follower.ts';
import { followLimits } from './stream-limits.ts';

const appendTimeoutMs = 2_000;
const partsRetryMs = 250;

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
  readonly #outcomes: Requester;
  readonly #tables: Requester;
  readonly #parts: RecordParts;
  /** By lane, a record that is being stored in parts: later records would be refused before it is there. */
  readonly #storingParts = new Map<number, Promise<unknown>>();
  readonly #followers = new Set<StreamFollower>();
  readonly #openTables = new Map<TableName, Promise<Table>>();
  readonly #openArchives = new Map<ArchiveName, Promise<Archive>>();

  /** `batch`: what one read of commands or records brings at most. */
  constructor(settings: LogSettings, connections: LogConnections, batch?: BatchLimit) {
    this.#batch = batch;
    this.#settings = settings;
    this.#makes = settings.role === undefined || makesStreams(settings.role);
    this.#commands = new Requester(connections.commands);
    this.#outcomes = new Requester(connections.outcomes);
    this.#tables = new Requester(connections.tables);
    this.#parts = new RecordParts(this.#outcomes, settings.replicas);
  }

  async prepare(lanes: number): Promise<void> {
    for (let lane = 0; lane < lanes; lane += 1) await this.prepareLane(lane);
    await this.#ensure(auditStreamOf(this.#settings));
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
    return this.#follow(this.#commands, fromSequence, handlers, {
      stream: commandStream(lane),
      filter: commandFilter(lane),
      gapless: true,
      convert: (message) => toCommand(lane, message),
    });
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

  async appendOutcome(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    traces?: string,
  ): Promise<AppendResult> {
    const before = (): Promise<unknown> | undefined => this.#storingParts.get(lane);
    for (let storing = before(); storing !== undefined; storing = before()) await storing.catch(() => {});
    if (bytes.length > wholeRecordBytes) return this.#appendInParts(lane, sequence, routing, bytes);
    return this.#publishOutcome(lane, sequence, routing, bytes, { traces });
  }

  async readOutcome(lane: number, sequence: number): Promise<StoredOutcome | null> {
    const message = await this.#read(this.#outcomes, outcomeStream(lane), sequence);
    return message === null ? null : this.#recordOf(lane, message);
  }

  async lastOutcome(lane: number): Promise<number> {
    return (await streamState(this.#outcomes, outcomeStream(lane))).last_seq;
  }

  followOutcomes(
    lane: number,
    fromSequence: number,
    filter: Partial<OutcomeRouting>,
    handlers: FollowHandlers<StoredOutcome>,
  ): Follower {
    const subject = outcomeFilter(lane, filter);
    return this.#follow(this.#outcomes, fromSequence, handlers, {
      stream: outcomeStream(lane),
      filter: subject,
      gapless: subject === outcomeFilter(lane, {}),
      convert: (message) => toOutcome(lane, message),
      whole: (message, stopped) => this.#whole(lane, message, stopped),
    });
  }

  fill(lane: number): Promise<readonly StreamFill[]> {
    const streams = laneStreams(lane, this.#settings);
    return Promise.all(streams.map(({ configuration }) => streamFill(this.#tables, configuration.name)));
  }

  async extents(lane: number): Promise<{ commands: StreamExtent; outcomes: StreamExtent }> {
    const [commands, outcomes] = await Promise.all([
      streamExtent(this.#tables, commandStream(lane)),
      streamExtent(this.#tables, outcomeStream(lane)),
    ]);
    return { commands, outcomes };
  }

  async readCommands(lane: number, fromSequence: number): Promise<readonly StoredCommand[]> {
    const messages = await this.#readBatch(this.#commands, commandStream(lane), fromSequence);
    return messages.map((message) => toCommand(lane, message));
  }

  async readOutcomes(lane: number, fromSequence: number): Promise<readonly StoredOutcome[]> {
    const messages = await this.#readBatch(this.#outcomes, outcomeStream(lane), fromSequence);
    const records = await Promise.all(messages.map((message) => this.#recordOf(lane, message)));
    return records.filter((record) => record !== null);
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
    const requesters = [this.#commands, this.#outcomes, this.#tables];
    await Promise.all(requesters.map(({ connection }) => connection.close()));
  }

  async #recordOf(lane: number, message: StoredMessage): Promise<StoredOutcome | null> {
    if (message.parts === null) return toOutcome(lane, message);
    const bytes = await this.#parts.load(lane, message);
    return bytes === null ? null : { ...toOutcome(lane, message), bytes };
  }

  async #appendInParts(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
  ): Promise<AppendResult> {
    const stored = this.#parts
      .store(lane, sequence, bytes)
      .then(({ checksum, parts }) => this.#publishOutcome(lane, sequence, routing, checksum, { parts }));
    this.#storingParts.set(lane, stored);
    try {
      return await stored;
    } finally {
      if (this.#storingParts.get(lane) === stored) this.#storingParts.delete(lane);
    }
  }

  async #publishOutcome(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    headers: { readonly parts?: string; readonly traces?: string | undefined },
  ): Promise<AppendResult> {
    const result = await publish(this.#outcomes, outcomeSubject(lane, routing), bytes, {
      timeoutMs: appendTimeoutMs,
      expectedLast: sequence - 1,
      ...headers,
    });
    if (result.kind === 'stored' || result.last >= 0) return result;
    return { kind: 'wrong_last_sequence', last: await this.lastOutcome(lane) };
  }

  /** A follower never skips a record: it asks again after an outage. */
  async #whole(lane: number, message: StoredMessage, stopped: () => boolean): Promise<StoredMessage | null> {
    while (!stopped()) {
      try {
        const bytes = await this.#parts.load(lane, message);
        if (bytes !== null) return { ...message, bytes, parts: null };
        throw new LogError('hole', `Parts of record ${message.sequence} of lane ${lane} are gone.`);
      } catch (error) {
        if (!(error instanceof LogError && error.retryable)) throw error;
      }
      await sleep(partsRetryMs);
    }
    return null;
  }

  async #ensure({ configuration, asked }: LimitedStream): Promise<void> {
    await this.#open(configuration);
    if (this.#makes) await followLimits(this.#tables, configuration.name, asked);
  }

  #open(configuration: StreamConfiguration): Promise<void> {
    return (this.#makes ? ensureStream : awaitStream)(this.#tables, configuration);
  }

  #follow<T>(
    requester: Requester,
    fromSequence: number,
    handlers: FollowHandlers<T>,
    target: {
      stream: string;
      filter: string;
      gapless: boolean;
      convert: (message: StoredMessage) => T;
      whole?: (message: StoredMessage, stopped: () => boolean) => Promise<StoredMessage | null>;
    },
  ): Follower {
    const { convert, whole, ...followed } = target;
    const follower: StreamFollower = new StreamFollower(
      requester,
      { ...followed, replicas: this.#settings.replicas },
      fromSequence,
      {
        message: (message) => {
          if (message.parts === null || whole === undefined) return handlers.message(convert(message));
          return whole(message, () => follower.stopped).then((complete) =>
            complete === null ? undefined : handlers.message(convert(complete)),
          );
        },
        caughtUp: (lastSequence) => handlers.caughtUp?.(lastSequence),
      },
    );
    this.#followers.add(follower);
    const forget = (): void => void this.#followers.delete(follower);
    follower.done.then(forget, forget);
    return follower;
  }

  #readBatch(requester: Requester, stream: string, from: number): Promise<readonly StoredMessage[]> {
    return readStoredBatch(requester, stream, from, null, this.#batch);
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

function toOutcome(lane: number, message: StoredMessage): StoredOutcome {
  const { sequence, timestampMs, bytes, subject, relayed, traces } = message;
  if (relayed || !isOutcomeSubject(subject)) {
    throw new LogError(
      'corrupt',
      `Record ${sequence} of lane ${lane} has a writer without permission (${subject}).`,
    );
  }
  return { lane, sequence, timestampMs, bytes, traces };
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
