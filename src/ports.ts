/**
 * The ports through which runtime code meets the world: Log, Bus, Clock, Random — and, of the log's server,
 * tables (KV with compare-and-set) and archives (object store). `test/sim` runs every role on simulated ones.
 */

export interface Clock {
  /** Milliseconds since the epoch, for times that are stored or sent. May be set back or ahead. */
  nowMs(): number;
  /** Milliseconds since some moment, never set back or ahead: for ages and deadlines within this process. */
  elapsedMs(): number;
  /**
   * Runs `task` once after `delayMs`; the returned function cancels it. A task that happens every `delayMs`
   * may be `aligned`: with others of its rhythm, up to half of `delayMs` earlier or later the first time
   * (docs/rules/performance.md "Idle processes").
   */
  after(delayMs: number, task: () => void, rhythm?: 'aligned'): () => void;
}

export interface Random {
  bytes(count: number): Uint8Array;
}

/** What a command message is for; it decides the subject below `cmd.<lane>`. */
export type CommandChannel = 'batch' | 'own' | 'control' | 'settlement' | 'quarantine';

export interface StoredCommand {
  readonly lane: number;
  /** Stream sequence, gapless from 1. */
  readonly sequence: number;
  readonly channel: CommandChannel;
  /** The server's timestamp of the message, in milliseconds. */
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
  /** Traces of its commands (`readTraces`); only of a followed message, where this process traces. */
  readonly traces?: string | undefined;
}

export interface StoredOutcome {
  readonly lane: number;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
  /** As of a command; of its works and callbacks. */
  readonly traces?: string | undefined;
}

/** What an outcome record holds; consumers filter by it (`out.<lane>.<w|->.<h|->.<e|->`). */
export interface OutcomeRouting {
  readonly wallet: boolean;
  readonly hooks: boolean;
  readonly events: boolean;
}

/** A record of a block. */
export interface BlockRecord {
  readonly routing: OutcomeRouting;
  readonly bytes: Uint8Array;
  /** As of a command. A record with traces is alone in its block. */
  readonly traces?: string | undefined;
}

export type AppendResult =
  | { readonly kind: 'stored'; readonly sequence: number; readonly duplicate: boolean }
  /** The expected last sequence was not the last one. For outcomes `last` is the last record's. */
  | { readonly kind: 'wrong_last_sequence'; readonly last: number };

export interface StreamFill {
  readonly stream: string;
  readonly bytes: number;
  /** Beyond it nothing more is stored; 0: no limit. */
  readonly maxBytes: number;
  /** When its oldest message was stored; null: it holds none. */
  readonly oldestMs: number | null;
}

/** What a stream says that it holds. A single message that cannot be read any more does not show here. */
export interface StreamExtent {
  readonly stream: string;
  /** The oldest message; one more than the last where there is none. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly messages: number;
  /** Older messages leave the stream; 0: none does. */
  readonly maxAgeMs: number;
}

/**
 * An outage of the log. `unknown`: the message may have been stored; the same bytes and id may be sent again.
 * `unsupported`: an intact message of a form that this release does not know, because a newer one wrote it.
 */
export class LogError extends Error {
  readonly code:
    | 'unavailable'
    | 'unknown'
    | 'hole'
    | 'corrupt'
    | 'unsupported'
    | 'full'
    | 'misconfigured'
    | 'stopped';
  readonly retryable: boolean;
  constructor(code: LogError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'LogError';
    this.code = code;
    this.retryable = code === 'unavailable' || code === 'unknown';
  }
}

/** Whether these bytes will never read in this process: they are damaged, or of a newer release. */
export function isUnreadable(error: unknown): error is LogError {
  return error instanceof LogError && (error.code === 'corrupt' || error.code === 'unsupported');
}

export interface Follower {
  /** Ends following; resolves when no handler runs any more. */
  stop(): Promise<void>;
  /** Settles when following ended: rejects with a LogError `hole` or `corrupt`, resolves after stop(). */
  readonly done: Promise<void>;
}

export interface FollowHandlers<T> {
  /** Called strictly in order, once a sequence. A returned promise is awaited before the next. */
  message(stored: T): void | Promise<void>;
  /**
   * Called when the follower has delivered everything that was stored when it (re)joined the tail.
   * `lastSequence`: what it has delivered last, or the one before its first.
   */
  caughtUp?(lastSequence: number): void;
}

export interface Log {
  /**
   * Checks the configuration of what lanes share, and of this number of lanes. Who may make streams creates
   * and updates them; others wait until they are there.
   */
  prepare(lanes: number): Promise<void>;
  /** As `prepare`, of one lane's streams. */
  prepareLane(lane: number): Promise<void>;
  /**
   * Appends one message. `messageId` deduplicates repeats within the stream's window. `expectedLastOnSubject`
   * is the fence of the own subject. One try: throws LogError; the caller repeats the same bytes.
   */
  append(
    lane: number,
    channel: CommandChannel,
    bytes: Uint8Array,
    options: {
      readonly messageId: string;
      readonly expectedLastOnSubject?: number;
      readonly timeoutMs?: number;
      /** As `writeTraces` makes it; only where some of the commands are sampled. */
      readonly traces?: string | undefined;
    },
  ): Promise<AppendResult>;
  /** Follows commands from `fromSequence` (inclusive): catch-up, then the tail, watchdog included. */
  follow(lane: number, fromSequence: number, handlers: FollowHandlers<StoredCommand>): Follower;
  readCommand(lane: number, sequence: number): Promise<StoredCommand | null>;
  /** The first message of a channel from `fromSequence` on; null where none came yet. */
  nextCommand(lane: number, channel: CommandChannel, fromSequence: number): Promise<StoredCommand | null>;
  lastCommand(lane: number): Promise<number>;
  /** Sequence of the last message on `cmd.<lane>.own`, 0 where there is none. */
  lastOwn(lane: number): Promise<number>;
  /** Stores the outcome record of `sequence`, of any size, expecting sequence − 1 to be the last one. */
  appendOutcome(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    traces?: string,
  ): Promise<AppendResult>;
  /**
   * Stores consecutive records as one message, expecting the record before them to be the last one. After a
   * block nothing but blocks may follow in a lane.
   */
  appendBlock(lane: number, first: number, records: readonly BlockRecord[]): Promise<AppendResult>;
  readOutcome(lane: number, sequence: number): Promise<StoredOutcome | null>;
  lastOutcome(lane: number): Promise<number>;
  /** Follows outcome records that match `filter`; sequences have gaps where a filter is set. */
  followOutcomes(
    lane: number,
    fromSequence: number,
    filter: Partial<OutcomeRouting>,
    handlers: FollowHandlers<StoredOutcome>,
  ): Follower;
  /** How full the streams of the lane are. */
  fill(lane: number): Promise<readonly StreamFill[]>;
  /** What the streams of the lane hold. */
  extents(lane: number): Promise<{ readonly commands: StreamExtent; readonly outcomes: StreamExtent }>;
  /** Messages from `fromSequence` on, some at a time, in order; what cannot be read is left out. */
  readCommands(lane: number, fromSequence: number): Promise<readonly StoredCommand[]>;
  readOutcomes(lane: number, fromSequence: number): Promise<readonly StoredOutcome[]>;
  table(name: TableName): Promise<Table>;
  tableExtent(name: TableName): Promise<TableExtent>;
  archive(name: ArchiveName): Promise<Archive>;
  close(): Promise<void>;
}

/** Drops the oldest messages of a lane's streams, and nothing else. */
export interface LaneTrimmer {
  /**
   * Drops commands, outcome records and their parts up to `sequence`, less `spare`: messages that arrive
   * during a step push out as many more. Safe to repeat, also after a process ended in it. Returns how many
   * more of a stream left than planned.
   */
  trim(lane: number, sequence: number, spare: number): Promise<number>;
  /** Ends an old step of another process. Returns how many more messages left than planned. */
  widen(lane: number, begunBeforeMs: number): Promise<number>;
  /** While `keep`, messages do not leave the lane's streams because of their age. */
  keepAged(lane: number, keep: boolean): Promise<void>;
}

/** One message of the audit trail, or of the stream of tries. */
export interface StoredAudit {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
  /** Stored by nats-server for a party that may not write the stream. */
  readonly relayed: boolean;
}

/** A stream that is read in bursts. */
export interface StreamReader {
  /** Messages from `fromSequence` on, some at a time, in order. */
  readFrom(fromSequence: number): Promise<readonly StoredAudit[]>;
  extent(): Promise<StreamExtent>;
}

/** The stream of the audit trail: one order for all writers. */
export interface AuditLog extends StreamReader {
  /** Appends one message if `expectedLast` is the last sequence of the stream. One try: throws LogError. */
  append(bytes: Uint8Array, expectedLast: number): Promise<AppendResult>;
  /** null if the stream does not have the message. */
  read(sequence: number): Promise<StoredAudit | null>;
  close(): Promise<void>;
}

/** Tables of this version. */
export const tableNames = [
  'PLACEMENT',
  'DIRECTORY',
  'EPOCHS',
  'ACCOUNTS',
  'NONCES',
  'APPROVALS',
  'TICKETS',
  'LEASES',
  'HOSTS',
  'DELIVERIES',
  'ARCHIVE',
  'FORGOTTEN',
] as const;
export type TableName = (typeof tableNames)[number];
/** Archives of this version. */
export const archiveNames = ['SNAPSHOTS', 'EPOCHS', 'SEGMENTS'] as const;
export type ArchiveName = (typeof archiveNames)[number];

export interface TableEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** A KV bucket. Keys are `[A-Za-z0-9_=-]` parts joined by dots; callers encode foreign ids. */
export interface Table {
  get(key: string): Promise<TableEntry | null>;
  /** Writes only at revision `expectedRevision` (0: the key must not exist); null: it was another. */
  put(key: string, value: Uint8Array, expectedRevision: number): Promise<number | null>;
  remove(key: string, expectedRevision: number): Promise<boolean>;
  keys(prefix?: string): Promise<string[]>;
  /** Whether a key that begins with these parts was ever written, also if it was removed since. */
  everHad(under: string): Promise<boolean>;
  /**
   * Delivers every present entry, then calls `current`, then each change (value null: removed). Survives
   * outages. `under`: only keys that begin with these parts; `current` may then come before an entry that the
   * server that delivers does not have yet.
   */
  watch(
    handlers: {
      entry(key: string, value: Uint8Array | null, revision: number): void;
      current?(): void;
    },
    under?: string,
  ): Promise<{ stop(): Promise<void> }>;
}

export interface TableExtent {
  /** The last revision that the table gave; 0: none. */
  readonly revision: number;
  /** Every key that the table ever had, removed ones among them. */
  readonly keys: number;
}

export interface Archive {
  /** `bytes` in parts: they are stored one behind the other as one object. */
  put(name: string, bytes: Uint8Array | readonly Uint8Array[]): Promise<void>;
  get(name: string): Promise<Uint8Array | null>;
  has(name: string): Promise<boolean>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

export interface BusMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Answers a request; does nothing where none was asked for. */
  respond(bytes: Uint8Array): void;
}

/** Fire-and-forget messages and requests (core NATS). */
export interface Bus {
  /** Too large messages are lost, as while the bus is down: publishers stay below a megabyte. */
  publish(subject: string, bytes: Uint8Array): void;
  subscribe(
    subject: string,
    handler: (message: BusMessage) => void,
    options?: { readonly queue?: string },
  ): { stop(): void };
  /**
   * Whether the subject has a subscriber. False only where the server says that it has none: a connection
   * that ended has no subscriptions, one that hangs or is cut off still has them.
   */
  hasListener(subject: string, timeoutMs: number): Promise<boolean>;
  /** Throws LogError `unavailable` without an answer within `timeoutMs`. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** False while the connection is down. */
  connected(): boolean;
  /** How often the connection broke: messages of others were lost each time. */
  interruptions(): number;
  close(): Promise<void>;
}
