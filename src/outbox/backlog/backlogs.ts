import { crash } from '../../lib/crash.ts';
import { type Clock, type Log, LogError, type Random } from '../../ports.ts';
import { type Delivery, type Receiver, receiverOf, subscriptionOf } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { TryResult } from '../send/sender.ts';
import type { TableEntries } from '../store/delivery-table.ts';
import { DueTimer } from '../store/due-timer.ts';
import { type Backlog, type BacklogRange, backlogIdOf, wholeLane } from '../store/entries.ts';
import { persistently, Stopped } from '../store/persistently.ts';
import { afterBacklogFailure, mayBeStored } from '../stored/progress.ts';
import type { KnownDelivery, StoredDeliveries } from '../stored/stored-deliveries.ts';
import { type BacklogEntry, backlogKey, backlogKeyOf, openEntry, rowOf, targetOf } from './entry.ts';
import { Walk, type WalkEnd, type WalkPorts } from './walk.ts';

export interface BacklogsPorts
  extends Pick<WalkPorts, 'filter' | 'deliveriesOf' | 'inTurn' | 'send' | 'unsupported'> {
  readonly lane: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'followOutcomes' | 'readOutcome'>;
  readonly table: Pick<TableEntries<Backlog>, 'write' | 'add' | 'remove'>;
  readonly stored: Pick<StoredDeliveries, 'has' | 'hasRoom' | 'add'>;
  readonly guard: Parameters<typeof persistently>[0];
  /** From its end on only this run moves the lane's cursor. */
  readonly fence: () => Promise<void>;
  /** The lowest record of the lane that is not done. */
  readonly cursor: () => number;
  readonly lost: (callbacks: number) => void;
  /** Another process works for the lane: what this run believes may be wrong. */
  readonly overtaken: () => void;
  readonly report: (message: string, error: unknown) => void;
}

/** Where a backlog begins. */
interface BacklogStart {
  readonly receiver: Receiver;
  readonly subscription: string;
  readonly sequence: number;
  /** When the record was made. */
  readonly createdMs: number;
  /** The last record that it has for certain; absent: none. */
  readonly to?: number;
}

/** A backlog that has ended: its records may still be under way in the lane. */
interface Walked {
  readonly key: string;
  readonly from: number;
  readonly next: number;
}

/** The backlogs of one lane (docs/decisions/0320): each has turns, and pauses while its receiver fails. */
export class Backlogs {
  readonly #ports: BacklogsPorts;
  readonly #entries = new Map<string, BacklogEntry>();
  readonly #beginning = new Map<string, Promise<void>>();
  readonly #ending = new Map<string, Promise<void>>();
  #walked: Walked[] = [];
  readonly #due: DueTimer;
  readonly #walks = new Set<Walk>();
  #walking = 0;
  #isStarted = false;
  #stopped = false;

  constructor(ports: BacklogsPorts) {
    this.#ports = ports;
    this.#due = new DueTimer(ports.clock, () => {
      this.#beginDue();
      if (this.#walking < outboxLimits.backlogsAtOnce) this.#due.wait();
    });
  }

  /** A backlog that the table has. */
  take(backlog: Backlog, revision: number): void {
    const key = backlogKey(backlog);
    const known = this.#entries.get(key);
    if (known !== undefined) Object.assign(known, { backlog, revision });
    else {
      const elapsedMs = this.#ports.clock.elapsedMs();
      this.#entries.set(key, openEntry(key, backlog, { revision, elapsedMs }));
    }
    if (this.#isStarted) this.#due.plan(key, backlog.nextMs);
  }

  /** From now on no earlier run changes or removes what the table has. False: one has done so meanwhile. */
  async claim(): Promise<boolean> {
    for (const entry of this.#entries.values()) {
      const revision = await this.#ports.table.write(entry.backlog, entry.revision);
      if (revision === null) return false;
      entry.revision = revision;
    }
    return true;
  }

  /** Everything before the lane's cursor was left to the backlogs that there are. */
  start(cursor: number): void {
    this.#isStarted = true;
    for (const entry of this.#entries.values()) {
      entry.coveredTo = Math.max(entry.coveredTo, cursor - 1);
      this.#due.plan(entry.key, entry.backlog.nextMs);
    }
  }

  /** Whether a stored backlog delivers it, or has. */
  covers(delivery: Delivery, replay = ''): boolean {
    if (this.#entries.size === 0 && this.#walked.length === 0) return false;
    return this.#covers(backlogKeyOf(delivery, replay), delivery.sequence);
  }

  /** Whether the lane's backlog will deliver it, without being asked to. */
  awaits(delivery: Delivery): boolean {
    if (this.#entries.size === 0) return false;
    const entry = this.#entries.get(backlogKeyOf(delivery, ''));
    if (entry === undefined || entry.backlog.state === 'dead') return false;
    return delivery.sequence >= entry.backlog.next && delivery.sequence <= entry.coveredTo;
  }

  /** Leaves a delivery to its receiver's backlog. False: the backlog begins after it. */
  async add(delivery: Delivery, range: BacklogRange = wholeLane): Promise<boolean> {
    const key = backlogKeyOf(delivery, range.replay);
    const { sequence, createdMs } = delivery;
    const start = {
      receiver: receiverOf(delivery),
      subscription: subscriptionOf(delivery),
      sequence,
      createdMs,
    };
    await this.begin(start, range);
    return this.#covers(key, sequence);
  }

  /** What a first try left gets an entry, or is left to its receiver's backlog of the range. */
  async keep(delivery: Delivery, result: TryResult, range: BacklogRange): Promise<void> {
    if (result.kind !== 'failed' && result.kind !== 'busy') return;
    const { stored } = this.#ports;
    if (!stored.hasRoom(delivery) && (await this.add(delivery, range))) return;
    await stored.add(delivery, result);
  }

  /** Everything of a receiver or subscription from a record on is left to its backlog, if it has none yet. */
  async begin(start: BacklogStart, range: BacklogRange = wholeLane): Promise<void> {
    const { replay } = range;
    const key = backlogKey({ ...start.receiver, subscription: start.subscription, replay });
    await this.#ending.get(key);
    if (this.#entries.has(key)) return;
    const begun = this.#beginning.get(key) ?? this.#begin(key, start, range);
    this.#beginning.set(key, begun);
    await begun.finally(() => this.#beginning.delete(key));
  }

  /** Whether a backlog that may have the delivery begins or ends just now. */
  isMoving(delivery: Delivery, replay: string): boolean {
    const key = backlogKeyOf(delivery, replay);
    return this.#beginning.has(key) || this.#ending.has(key);
  }

  /** Whether events of the delivery's subscription wait in the log, whatever their records. */
  holds(delivery: Delivery): boolean {
    return this.#entries.has(backlogKeyOf(delivery, '')) || this.isMoving(delivery, '');
  }

  *known(): IterableIterator<KnownDelivery> {
    for (const { backlog } of this.#entries.values()) yield rowOf(backlog);
  }

  find(id: string): KnownDelivery | null {
    const entry = this.#byId(id);
    return entry === null ? null : rowOf(entry.backlog);
  }

  /** A person wants it tried now. null: there is no such backlog. */
  async replay(id: string): Promise<KnownDelivery | null> {
    const entry = this.#byId(id);
    if (entry === null || entry.isWalking) return this.find(id);
    const { clock } = this.#ports;
    await this.#write(entry, { state: 'pending', tries: 0, nextMs: clock.nowMs() });
    return this.find(id);
  }

  /** A person has ended it: what it has is forgotten. null: there is no such backlog. */
  async resolve(id: string): Promise<KnownDelivery | null> {
    const entry = this.#byId(id);
    if (entry === null || entry.isWalking) return null;
    const row = rowOf(entry.backlog);
    entry.backlog = { ...entry.backlog, next: targetOf(entry) + 1, waiting: 0 };
    await this.#finish(entry);
    // What came meanwhile is not forgotten.
    if (this.#entries.get(entry.key) === entry)
      await this.#write(entry, { state: 'pending', tries: 0, nextMs: this.#ports.clock.nowMs() });
    return row;
  }

  stop(): void {
    this.#stopped = true;
    this.#due.stop();
    for (const walk of this.#walks) walk.stop();
  }

  #byId(id: string): BacklogEntry | null {
    for (const entry of this.#entries.values()) if (entry.backlog.id === id) return entry;
    return null;
  }

  #covers(key: string, sequence: number): boolean {
    const entry = this.#entries.get(key);
    if (entry !== undefined && sequence >= entry.backlog.from) {
      if (sequence < entry.backlog.next) return true;
      entry.coveredTo = Math.max(entry.coveredTo, sequence);
      this.#count(entry);
      return true;
    }
    return this.#walked.some((each) => each.key === key && sequence >= each.from && sequence < each.next);
  }

  async #begin(key: string, start: BacklogStart, range: BacklogRange): Promise<void> {
    const { table, clock, lane } = this.#ports;
    const { receiver, subscription, sequence, createdMs } = start;
    const nowMs = clock.nowMs();
    const backlog: Backlog = {
      ...range,
      ...receiver,
      subscription,
      id: backlogIdOf(lane, receiver, range.replay, subscription),
      from: sequence,
      next: sequence,
      oldestMs: createdMs,
      waiting: 0,
      state: 'pending',
      tries: 0,
      nextMs: nowMs,
      lastError: '',
      lastTryMs: 0,
      acceptedMs: nowMs,
    };
    const stored = await table.add(backlog);
    if (this.#stopped) throw new Stopped('The lane was given up.');
    // Another backlog may have begun here while this process read what another run has stored.
    if (stored !== null && !this.#entries.has(key)) this.take(stored.value, stored.revision);
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.coveredTo = Math.max(entry.coveredTo, start.to ?? 0);
  }

  #beginDue(): void {
    while (this.#walking < outboxLimits.backlogsAtOnce) {
      const key = this.#due.takeDue();
      if (key === null) return;
      const entry = this.#entries.get(key);
      if (entry === undefined || entry.isWalking) continue;
      if (entry.backlog.state === 'pending') this.#beginTurn(entry);
    }
  }

  #beginTurn(entry: BacklogEntry): void {
    this.#walking += 1;
    entry.isWalking = true;
    this.#turn(entry)
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) crash(error);
      })
      .finally(() => {
        this.#walking -= 1;
        entry.isWalking = false;
        if (this.#entries.get(entry.key) === entry) this.#due.plan(entry.key, entry.backlog.nextMs);
        else this.#due.wait();
      });
  }

  async #turn(entry: BacklogEntry): Promise<void> {
    const { clock, log, lane, guard, report, lost } = this.#ports;
    const first = await persistently(guard, () => log.readOutcome(lane, entry.backlog.next));
    if (first === null && entry.backlog.next <= targetOf(entry)) {
      report(`Callbacks of ${entry.backlog.origin} from record ${entry.backlog.next} on are too old.`, null);
      lost(1);
    }
    const walk = new Walk(this.#ports, {
      backlog: entry.backlog,
      target: () => targetOf(entry),
      settled: entry.settled,
      isStored: (id) => this.#ports.stored.has(id),
    });
    const end = await this.#walk(walk);
    if (this.#stopped) throw new Stopped('The lane was given up.');
    const pauseMs =
      end === null ? outboxLimits.maxPauseMs : end.kind === 'held' ? outboxLimits.heldPauseMs : 0;
    const changes = this.#progress(entry, walk);
    if (end?.kind === 'failed') return this.#failed(entry, changes, end);
    await this.#write(entry, { ...changes, nextMs: clock.nowMs() + pauseMs });
    if (end?.kind === 'caught_up' && entry.backlog.next > targetOf(entry)) await this.#finish(entry);
  }

  /** null: the log broke. */
  async #walk(walk: Walk): Promise<WalkEnd | null> {
    this.#walks.add(walk);
    try {
      return await walk.run();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return null;
    } finally {
      this.#walks.delete(walk);
    }
  }

  #progress(entry: BacklogEntry, { accepted, next, oldestMs }: Walk): Partial<Backlog> {
    const waiting = Math.max(0, entry.backlog.waiting - accepted);
    if (accepted === 0) return { next, oldestMs };
    return { next, oldestMs, waiting, tries: 0, lastError: '', acceptedMs: this.#ports.clock.nowMs() };
  }

  async #failed(
    entry: BacklogEntry,
    progress: Partial<Backlog>,
    { delivery, result }: Extract<WalkEnd, { kind: 'failed' }>,
  ): Promise<void> {
    const { clock, random, stored, report } = this.#ports;
    const now = { nowMs: clock.nowMs(), random };
    const before = { ...entry.backlog, ...progress };
    if (mayBeStored(before, result, stored.hasRoom(delivery))) {
      await stored.add(delivery, result, before.tries);
      entry.settled.add(delivery.id);
      return this.#write(entry, { ...progress, tries: 0, nextMs: now.nowMs });
    }
    const after = afterBacklogFailure(before, result, now);
    if (after.state === 'dead')
      report(`The callbacks of ${before.operator} to ${before.origin} wait for a person.`, result.error);
    await this.#write(entry, { ...progress, ...after });
  }

  #write(entry: BacklogEntry, changes: Partial<Backlog>): Promise<void> {
    entry.backlog = { ...entry.backlog, ...changes };
    if (!entry.isWalking) this.#due.plan(entry.key, entry.backlog.nextMs);
    const written = entry.writing.then(() => this.#put(entry));
    entry.writing = written.catch(() => {});
    return written;
  }

  async #put(entry: BacklogEntry): Promise<void> {
    if (this.#entries.get(entry.key) !== entry) return;
    entry.writtenMs = this.#ports.clock.elapsedMs();
    const revision = await this.#ports.table.write(entry.backlog, entry.revision);
    if (revision === null) {
      this.#ports.overtaken();
      throw new Stopped('Another process has the backlog.');
    }
    entry.revision = revision;
  }

  /** How many wait is stored now and then, for the lists of a later run. */
  #count(entry: BacklogEntry): void {
    entry.backlog = { ...entry.backlog, waiting: entry.backlog.waiting + 1 };
    if (this.#ports.clock.elapsedMs() - entry.writtenMs < outboxLimits.backlogCountEveryMs) return;
    this.#write(entry, {}).catch((error: unknown) => {
      if (!(error instanceof Stopped)) crash(error);
    });
  }

  /** Nothing is left to it. From now on its receiver gets first tries again. */
  async #finish(entry: BacklogEntry): Promise<void> {
    await this.#ports.fence();
    await entry.writing;
    const { key, backlog, revision } = entry;
    if (backlog.next <= targetOf(entry)) return;
    const cursor = this.#ports.cursor();
    this.#walked = this.#walked.filter((each) => each.next > cursor);
    this.#walked.push({ key, from: backlog.from, next: backlog.next });
    this.#entries.delete(key);
    const removed = this.#ports.table.remove(backlog.id, revision);
    this.#ending.set(key, removed);
    await removed.finally(() => this.#ending.delete(key));
  }
}
