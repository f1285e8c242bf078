import {
  type AppendResult,
  type Archive,
  type BlockRecord,
  type Bus,
  type BusMessage,
  type Clock,
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
} from '../../src/ports.ts';
import type { SimWorld } from './sim-world.ts';

/** Probabilities of what can happen to one message between a process and the server. */
export interface SimFaults {
  /** A request never arrives. */
  readonly lostRequest: number;
  /** The server did it, but the acknowledgement is lost. */
  readonly lostAnswer: number;
  /** A bus message (reply, tick) is lost. */
  readonly lostBusMessage: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  /** A change arrives long after its sender has stopped waiting for it. */
  readonly lateRequest?: number;
  /** A change arrives once more, a little later. */
  readonly duplicateRequest?: number;
  readonly duplicateBusMessage?: number;
}

/** Parts of the server that have a leader each, and may be without one. */
export type SimPart = 'commands' | 'outcomes' | 'tables' | 'archives';

/** What of a process's connection is cut: what it sends, what it receives, or both. */
export type SimCut = 'both' | 'out' | 'in';

export const noFaults: SimFaults = {
  lostRequest: 0,
  lostAnswer: 0,
  lostBusMessage: 0,
  minDelayMs: 0,
  maxDelayMs: 1,
};

interface SimOutcome extends StoredOutcome {
  readonly routing: OutcomeRouting;
  /** The first record of the message that holds it. */
  readonly first: number;
}

interface Lane {
  readonly commands: StoredCommand[];
  readonly ids: Map<string, { sequence: number; atMs: number }>;
  readonly outcomes: SimOutcome[];
  commandBytes: number;
  outcomeBytes: number;
  lastOwn: number;
  readonly waiting: Set<() => void>;
}

interface Subscription {
  readonly subject: string;
  readonly queue: string;
  readonly node: SimNode;
  readonly handler: (message: BusMessage) => void;
}

const duplicateWindowMs = 600_000;
const appendTimeoutMs = 1_000;
const maxLateMs = 20_000;

/** The server of the simulation: streams, tables, archives and the bus, in memory, with the semantics of the real one. */
export class SimServer {
  readonly world: SimWorld;
  faults: SimFaults = noFaults;
  /** Limits of each lane's streams; they may be changed at any time. */
  maxCommandBytes = Number.POSITIVE_INFINITY;
  maxOutcomeBytes = Number.POSITIVE_INFINITY;
  private running = true;
  crashes = 0;
  readonly lanes: Lane[];
  readonly tables = new Map<string, Map<string, { value: Uint8Array | null; revision: number }>>();
  readonly tableWatchers = new Set<{ table: string; notify(key: string): void }>();
  private readonly leaderless = new Set<SimPart>();
  readonly archives = new Map<string, Map<string, Uint8Array>>();
  readonly subscriptions = new Set<Subscription>();
  private revisions = 0;

  constructor(world: SimWorld, lanes: number) {
    this.world = world;
    this.lanes = Array.from({ length: lanes }, () => ({
      commands: [],
      ids: new Map(),
      outcomes: [],
      commandBytes: 0,
      outcomeBytes: 0,
      lastOwn: 0,
      waiting: new Set(),
    }));
  }

  get up(): boolean {
    return this.running;
  }

  /** A server that is back finds its followers again by itself. */
  set up(up: boolean) {
    if (this.running && !up) this.crashes += 1;
    this.running = up;
    if (up) this.wakeAll();
  }

  hasLeader(part: SimPart): boolean {
    return !this.leaderless.has(part);
  }

  /** A leader gap: the part refuses requests and delivers nothing until it has a leader again. */
  setLeader(part: SimPart, present: boolean): void {
    if (!present) this.leaderless.add(part);
    else if (this.leaderless.delete(part)) this.wakeAll();
  }

  /** Followers look whether there is something for them. */
  wakeAll(): void {
    for (const lane of this.lanes) this.wake(lane);
  }

  /** A process with connections to this server. */
  connect(name: string): SimNode {
    return new SimNode(this, name);
  }

  lane(lane: number): Lane {
    const found = this.lanes[lane];
    if (!found) throw new LogError('misconfigured', `no lane ${lane}`);
    return found;
  }

  appendCommand(
    lane: number,
    channel: CommandChannel,
    bytes: Uint8Array,
    messageId: string,
    expectedOwn?: number,
  ): AppendResult {
    const stream = this.lane(lane);
    const known = stream.ids.get(messageId);
    if (known && this.world.nowMs - known.atMs < duplicateWindowMs)
      return { kind: 'stored', sequence: known.sequence, duplicate: true };
    if (expectedOwn !== undefined && expectedOwn !== stream.lastOwn)
      return { kind: 'wrong_last_sequence', last: stream.lastOwn };
    if (stream.commandBytes + bytes.length > this.maxCommandBytes)
      throw new LogError('full', 'maximum bytes');
    stream.commandBytes += bytes.length;
    const sequence = stream.commands.length + 1;
    stream.commands.push({ lane, sequence, channel, timestampMs: this.world.nowMs, bytes: bytes.slice() });
    stream.ids.set(messageId, { sequence, atMs: this.world.nowMs });
    if (channel === 'own') stream.lastOwn = sequence;
    this.wake(stream);
    return { kind: 'stored', sequence, duplicate: false };
  }

  appendOutcome(lane: number, sequence: number, routing: OutcomeRouting, bytes: Uint8Array): AppendResult {
    return this.appendBlock(lane, sequence, [{ routing, bytes }]);
  }

  appendBlock(lane: number, first: number, records: readonly BlockRecord[]): AppendResult {
    const stream = this.lane(lane);
    if (stream.outcomes.length !== first - 1)
      return { kind: 'wrong_last_sequence', last: stream.outcomes.length };
    const size = records.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (stream.outcomeBytes + size > this.maxOutcomeBytes) throw new LogError('full', 'maximum bytes');
    stream.outcomeBytes += size;
    const timestampMs = this.world.nowMs;
    for (const [index, { routing, bytes }] of records.entries()) {
      const sequence = first + index;
      stream.outcomes.push({ lane, sequence, timestampMs, bytes: bytes.slice(), routing, first });
    }
    this.wake(stream);
    return { kind: 'stored', sequence: first + records.length - 1, duplicate: false };
  }

  /**
   * A disk that had not stored all that the server took for stored: OUT ends at an earlier record. A message
   * is there as a whole or not at all.
   */
  cutOutcomes(lane: number, lastSequence: number): void {
    const stream = this.lane(lane);
    const from = (stream.outcomes[lastSequence]?.first ?? lastSequence + 1) - 1;
    for (const { bytes } of stream.outcomes.splice(from)) stream.outcomeBytes -= bytes.length;
  }

  fillOf(lane: number): StreamFill[] {
    const { commandBytes, outcomeBytes, commands } = this.lane(lane);
    const oldestMs = commands[0]?.timestampMs ?? null;
    const limit = (bytes: number): number => (Number.isFinite(bytes) ? bytes : 0);
    return [
      { stream: `CMD_${lane}`, bytes: commandBytes, maxBytes: limit(this.maxCommandBytes), oldestMs },
      { stream: `OUT_${lane}`, bytes: outcomeBytes, maxBytes: limit(this.maxOutcomeBytes), oldestMs },
    ];
  }

  putEntry(table: string, key: string, value: Uint8Array | null, expected: number): number | null {
    const entries = this.entries(table);
    const present = entries.get(key);
    const revision = present && present.value !== null ? present.revision : 0;
    if (expected !== revision) return null;
    this.revisions += 1;
    entries.set(key, { value: value === null ? null : value.slice(), revision: this.revisions });
    for (const watcher of [...this.tableWatchers]) if (watcher.table === table) watcher.notify(key);
    return this.revisions;
  }

  entries(table: string): Map<string, { value: Uint8Array | null; revision: number }> {
    let entries = this.tables.get(table);
    if (!entries) {
      entries = new Map();
      this.tables.set(table, entries);
    }
    return entries;
  }

  extents(lane: number): { commands: StreamExtent; outcomes: StreamExtent } {
    const { commands, outcomes } = this.lane(lane);
    return { commands: extentOf(`CMD_${lane}`, commands), outcomes: extentOf(`OUT_${lane}`, outcomes) };
  }

  /** A fault that only some histories have: the dice are not thrown in the others. */
  happens(fault: 'duplicateRequest' | 'duplicateBusMessage'): boolean {
    const rate = this.faults[fault];
    return rate !== undefined && this.world.chance(rate);
  }

  delay(): number {
    return this.world.between(this.faults.minDelayMs, this.faults.maxDelayMs);
  }

  private wake(stream: Lane): void {
    for (const waiter of [...stream.waiting]) waiter();
  }
}

/** One process: its ports stop working when it is killed. */
export class SimNode {
  readonly server: SimServer;
  readonly name: string;
  alive = true;
  /** How far the clock of this process is from the server's; its timers are not. */
  clockOffsetMs = 0;
  /** What arrives from the server, and what gets there. */
  private hears = true;
  private reaches = true;
  private cuts = 0;
  private readonly missed = new Set<() => void>();
  private paused = false;
  private readonly dueTimers: (() => void)[] = [];
  private readonly arrived: (() => void)[] = [];
  private readonly busQueues = new Map<string, number>();

  constructor(server: SimServer, name: string) {
    this.server = server;
    this.name = name;
  }

  /** kill -9: nothing of it runs any more. */
  kill(): void {
    this.alive = false;
    for (const subscription of [...this.server.subscriptions])
      if (subscription.node === this) this.server.subscriptions.delete(subscription);
  }

  /** A partition between this process and the server. */
  cut(way: SimCut): void {
    if (!this.isCut) this.cuts += 1;
    if (way !== 'out') this.hears = false;
    if (way !== 'in') this.reaches = false;
  }

  /** The connection is there again: followers and watches continue where they were, the bus has lost what was sent. */
  reconnect(): void {
    if (this.hears && this.reaches) return;
    this.hears = true;
    this.reaches = true;
    for (const deliver of this.missed) this.server.world.schedule(this.server.delay(), deliver);
    this.missed.clear();
    this.server.wakeAll();
  }

  get isCut(): boolean {
    return !this.hears || !this.reaches;
  }

  /** SIGSTOP: nothing of it runs, but what was sent to it waits. */
  pause(): void {
    this.paused = true;
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** SIGCONT: timers that are due run first, then what has arrived. */
  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    for (const task of [...this.dueTimers.splice(0), ...this.arrived.splice(0)])
      this.server.world.schedule(0, () => this.run(task));
  }

  /** Runs a task as soon as this process can. */
  run(task: () => void, waiting: (() => void)[] = this.arrived): void {
    if (!this.alive) return;
    if (this.paused) waiting.push(task);
    else task();
  }

  after(delayMs: number, task: () => void): () => void {
    let isCancelled = false;
    const cancel = this.server.world.schedule(delayMs, () =>
      this.run(() => {
        if (!isCancelled) task();
      }, this.dueTimers),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  readonly clock: Clock = {
    nowMs: () => this.server.world.nowMs + this.clockOffsetMs,
    elapsedMs: () => this.server.world.nowMs,
    after: (delayMs, task) => this.after(delayMs, task),
  };

  readonly log: Log = {
    prepare: async () => {},
    prepareLane: async () => {},
    append: (lane, channel, bytes, options) =>
      this.ask(
        () =>
          this.server.appendCommand(lane, channel, bytes, options.messageId, options.expectedLastOnSubject),
        options.timeoutMs ?? appendTimeoutMs,
        true,
      ),
    follow: (lane, from, handlers) =>
      this.followStream(() => this.server.lane(lane).commands, lane, from, handlers),
    readCommand: (lane, sequence) =>
      this.ask(() => this.server.lane(lane).commands[sequence - 1] ?? null, appendTimeoutMs, false),
    nextCommand: (lane, channel, from) =>
      this.ask(
        () =>
          this.server
            .lane(lane)
            .commands.find((command) => command.sequence >= from && command.channel === channel) ?? null,
        appendTimeoutMs,
        false,
      ),
    lastCommand: (lane) => this.ask(() => this.server.lane(lane).commands.length, appendTimeoutMs, false),
    extents: (lane) => this.ask(() => this.server.extents(lane), appendTimeoutMs, false),
    readCommands: (lane, from) =>
      this.ask(() => presentFrom(this.server.lane(lane).commands, from), appendTimeoutMs, false),
    readOutcomes: (lane, from) =>
      this.ask(() => presentFrom(this.server.lane(lane).outcomes, from), appendTimeoutMs, false, 'outcomes'),
    tableExtent: (name) =>
      this.ask(
        () => {
          const entries = [...this.server.entries(name).values()];
          return { revision: Math.max(0, ...entries.map(({ revision }) => revision)), keys: entries.length };
        },
        appendTimeoutMs,
        false,
        'tables',
      ),
    fill: (lane) => this.ask(() => this.server.fillOf(lane), appendTimeoutMs, false),
    lastOwn: (lane) => this.ask(() => this.server.lane(lane).lastOwn, appendTimeoutMs, false),
    appendOutcome: (lane, sequence, routing, bytes) =>
      this.ask(
        () => this.server.appendOutcome(lane, sequence, routing, bytes),
        appendTimeoutMs,
        true,
        'outcomes',
      ),
    appendBlock: (lane, first, records) =>
      this.ask(() => this.server.appendBlock(lane, first, records), appendTimeoutMs, true, 'outcomes'),
    readOutcome: (lane, sequence) =>
      this.ask(
        () => this.server.lane(lane).outcomes[sequence - 1] ?? null,
        appendTimeoutMs,
        false,
        'outcomes',
      ),
    lastOutcome: (lane) =>
      this.ask(() => this.server.lane(lane).outcomes.length, appendTimeoutMs, false, 'outcomes'),
    followOutcomes: (lane, from, filter, handlers) =>
      this.followStream<SimOutcome>(
        () => this.server.lane(lane).outcomes,
        lane,
        from,
        handlers,
        (outcome) =>
          (Object.keys(filter) as (keyof OutcomeRouting)[]).every(
            (name) => outcome.routing[name] === filter[name],
          ),
        'outcomes',
      ),
    table: async (name) => this.table(name),
    archive: async (name) => this.archive(name),
    close: async () => {},
  };

  readonly bus: Bus = {
    publish: (subject, bytes) => this.publish(subject, bytes, () => {}),
    subscribe: (subject, handler, options) => {
      const subscription = { subject, queue: options?.queue ?? '', node: this, handler };
      this.server.subscriptions.add(subscription);
      return { stop: () => void this.server.subscriptions.delete(subscription) };
    },
    hasListener: (subject, timeoutMs) =>
      new Promise((resolve) => {
        const cancel = this.after(timeoutMs, () => resolve(true));
        if (!this.alive || !this.server.up || !this.reaches) return;
        const { server } = this;
        if (server.world.chance(server.faults.lostBusMessage)) return;
        server.world.schedule(2 * server.delay(), () => {
          if (!this.hears || [...server.subscriptions].some((each) => matches(each.subject, subject))) return;
          this.run(() => {
            cancel();
            resolve(false);
          });
        });
      }),
    request: (subject, bytes, timeoutMs) =>
      new Promise((resolve, reject) => {
        const cancel = this.after(timeoutMs, () =>
          reject(new LogError('unavailable', `no answer on ${subject}`)),
        );
        this.publish(subject, bytes, (answer) =>
          this.run(() => {
            cancel();
            resolve(answer);
          }),
        );
      }),
    connected: () => this.server.up && !this.isCut,
    interruptions: () => this.server.crashes + this.cuts,
    close: async () => {},
  };

  private publish(subject: string, bytes: Uint8Array, answered: (bytes: Uint8Array) => void): void {
    const { server } = this;
    if (!this.alive || !server.up || !this.reaches) return;
    const queues = new Map<string, Subscription[]>();
    for (const subscription of server.subscriptions) {
      if (!matches(subscription.subject, subject)) continue;
      const group = subscription.queue === '' ? `one-${queues.size}` : subscription.queue;
      queues.set(group, [...(queues.get(group) ?? []), subscription]);
    }
    for (const [, group] of queues) {
      const chosen = group[server.world.between(0, group.length - 1)]!;
      if (server.world.chance(server.faults.lostBusMessage)) continue;
      // Of one sender and subject the bus keeps the order.
      const queueName = `${chosen.node.name} ${subject}`;
      const atMs = Math.max(this.busQueues.get(queueName) ?? 0, server.world.nowMs + server.delay());
      this.busQueues.set(queueName, atMs);
      const copy = bytes.slice();
      const deliver = (): void => {
        if (!chosen.node.hears) return;
        const message: BusMessage = {
          subject,
          bytes: copy,
          respond: (answer) => {
            if (!chosen.node.alive || server.world.chance(server.faults.lostBusMessage)) return;
            if (!chosen.node.reaches) return;
            const answerCopy = answer.slice();
            server.world.schedule(server.delay(), () => this.hears && answered(answerCopy));
          },
        };
        chosen.node.run(() => server.subscriptions.has(chosen) && chosen.handler(message));
      };
      server.world.schedule(atMs - server.world.nowMs, deliver);
      if (server.happens('duplicateBusMessage'))
        server.world.schedule(atMs - server.world.nowMs + server.delay(), deliver);
    }
  }

  /** One request to the server and its answer, through the faults. */
  private ask<T>(
    perform: () => T,
    timeoutMs: number,
    changes: boolean,
    part: SimPart = 'commands',
  ): Promise<T> {
    const { server } = this;
    const { world } = server;
    return new Promise((resolve, reject) => {
      if (!this.alive) return;
      if (!server.up || (!server.hasLeader(part) && this.hears && this.reaches)) {
        world.schedule(server.delay(), () =>
          this.run(() => reject(new LogError('unavailable', 'the server is down'))),
        );
        return;
      }
      const cancel = this.after(timeoutMs, () =>
        reject(new LogError(changes ? 'unknown' : 'unavailable', 'no answer in time')),
      );
      if (!this.reaches || world.chance(server.faults.lostRequest)) return;
      const { lateRequest } = server.faults;
      const isLate = changes && lateRequest !== undefined && world.chance(lateRequest);
      const delayMs = isLate ? timeoutMs + world.between(0, maxLateMs) : server.delay();
      world.schedule(delayMs, () => {
        // A message on its way when its sender dies may arrive all the same.
        if (!server.up || !server.hasLeader(part)) return;
        let answer: T;
        try {
          answer = perform();
        } catch (error) {
          this.run(() => {
            cancel();
            reject(error);
          });
          return;
        }
        if (world.chance(server.faults.lostAnswer)) return;
        world.schedule(server.delay(), () => {
          if (!this.hears) return;
          this.run(() => {
            cancel();
            resolve(answer);
          });
        });
      });
      if (changes && server.happens('duplicateRequest'))
        world.schedule(delayMs + server.delay(), () => this.repeat(perform, part));
    });
  }

  /** A request that arrives twice is done twice; nobody waits for the second answer. */
  private repeat(perform: () => unknown, part: SimPart): void {
    if (!this.server.up || !this.server.hasLeader(part)) return;
    try {
      perform();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
    }
  }

  private followStream<T extends { readonly sequence: number }>(
    stream: () => readonly T[],
    lane: number,
    from: number,
    handlers: FollowHandlers<T>,
    wanted: (item: T) => boolean = () => true,
    part: SimPart = 'commands',
  ): Follower {
    const { server } = this;
    let next = Math.max(1, from);
    let stopped = false;
    let busy = false;
    let scheduled = false;
    let announced = false;
    let delivered = next - 1;
    let finish: () => void = () => {};
    let fail: (error: unknown) => void = () => {};
    const done = new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
    done.catch(() => {});

    const mayDeliver = (): boolean =>
      !stopped && this.alive && server.up && this.hears && server.hasLeader(part);
    const pump = async (): Promise<void> => {
      scheduled = false;
      if (busy || !mayDeliver()) return;
      busy = true;
      try {
        for (let item = stream()[next - 1]; item !== undefined && mayDeliver(); item = stream()[next - 1]) {
          next += 1;
          if (wanted(item)) {
            delivered = item.sequence;
            const waiting = handlers.message(item);
            if (waiting) await waiting;
          }
        }
        if (!announced && mayDeliver()) {
          announced = true;
          handlers.caughtUp?.(delivered);
        }
      } catch (error) {
        stopped = true;
        fail(error);
      } finally {
        busy = false;
      }
      if (next <= stream().length) arrange();
    };
    const arrange = (): void => {
      if (scheduled || stopped) return;
      scheduled = true;
      server.world.schedule(server.delay(), () => this.run(() => void pump()));
    };
    server.lane(lane).waiting.add(arrange);
    arrange();
    return {
      done,
      stop: async () => {
        stopped = true;
        server.lane(lane).waiting.delete(arrange);
        finish();
      },
    };
  }

  private table(name: string): Table {
    const { server } = this;
    const read = (key: string) => {
      const entry = server.entries(name).get(key);
      return entry && entry.value !== null
        ? { key, value: entry.value.slice(), revision: entry.revision }
        : null;
    };
    return {
      get: (key) => this.ask(() => read(key), appendTimeoutMs, false, 'tables'),
      put: (key, value, expected) =>
        this.ask(() => server.putEntry(name, key, value, expected), appendTimeoutMs, true, 'tables'),
      remove: (key, expected) =>
        this.ask(() => server.putEntry(name, key, null, expected) !== null, appendTimeoutMs, true, 'tables'),
      everHad: (under) =>
        this.ask(
          () => [...server.entries(name).keys()].some((key) => key.startsWith(`${under}.`)),
          appendTimeoutMs,
          false,
          'tables',
        ),
      keys: (prefix = '') =>
        this.ask(
          () =>
            [...server.entries(name)]
              .filter(([key, entry]) => entry.value !== null && key.startsWith(prefix))
              .map(([key]) => key),
          appendTimeoutMs,
          false,
          'tables',
        ),
      watch: async (handlers, under) => {
        const isUnder = (key: string) => under === undefined || key.startsWith(`${under}.`);
        let stopped = false;
        const deliver = (key: string): void => {
          const entry = server.entries(name).get(key);
          if (entry && isUnder(key) && !stopped && this.alive)
            handlers.entry(key, entry.value === null ? null : entry.value.slice(), entry.revision);
        };
        // A watch that could not be served is served when the process hears the server again.
        const whenHeard = (task: () => void): void => {
          if (this.hears) this.run(task);
          else this.missed.add(() => whenHeard(task));
        };
        const watcher = {
          table: name,
          notify: (key: string) =>
            void server.world.schedule(server.delay(), () => whenHeard(() => deliver(key))),
        };
        server.tableWatchers.add(watcher);
        server.world.schedule(server.delay(), () =>
          whenHeard(() => {
            for (const [key, entry] of server.entries(name)) if (entry.value !== null) deliver(key);
            if (!stopped) handlers.current?.();
          }),
        );
        return {
          stop: async () => {
            stopped = true;
            server.tableWatchers.delete(watcher);
          },
        };
      },
    };
  }

  private archive(name: string): Archive {
    const { server } = this;
    const objects = (): Map<string, Uint8Array> => {
      let found = server.archives.get(name);
      if (!found) {
        found = new Map();
        server.archives.set(name, found);
      }
      return found;
    };
    return {
      put: (key, bytes) =>
        this.ask(
          () => void objects().set(key, bytes instanceof Uint8Array ? bytes.slice() : Buffer.concat(bytes)),
          appendTimeoutMs,
          true,
          'archives',
        ),
      get: (key) => this.ask(() => objects().get(key)?.slice() ?? null, appendTimeoutMs, false, 'archives'),
      has: (key) => this.ask(() => objects().has(key), appendTimeoutMs, false, 'archives'),
      list: () => this.ask(() => [...objects().keys()], appendTimeoutMs, false, 'archives'),
      remove: (key) => this.ask(() => void objects().delete(key), appendTimeoutMs, true, 'archives'),
    };
  }
}

function matches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  for (let at = 0; at < wanted.length; at += 1) {
    if (wanted[at] === '>') return given.length > at;
    if (given[at] === undefined || (wanted[at] !== '*' && wanted[at] !== given[at])) return false;
  }
  return wanted.length === given.length;
}

const readAtOnce = 128;

/** Places of messages that were taken away hold nothing. */
function presentFrom<T extends { readonly sequence: number }>(stream: readonly T[], from: number): T[] {
  return stream
    .slice(Math.max(0, from - 1))
    .filter((each) => each !== undefined)
    .slice(0, readAtOnce);
}

function extentOf(stream: string, messages: readonly { readonly sequence: number }[]): StreamExtent {
  const present = messages.filter((each) => each !== undefined);
  const firstSequence = present[0]?.sequence ?? messages.length + 1;
  return { stream, firstSequence, lastSequence: messages.length, messages: present.length, maxAgeMs: 0 };
}
