import { crash } from '../../lib/crash.ts';
import { pause } from '../../lib/pauses.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import { decodeCommandBatch, decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { OutcomeRecord } from '../../messages/outcomes.ts';
import type { FlushRecord } from '../../messages/settlements.ts';
import { type Follower, isUnreadable, LogError, type StoredOutcome } from '../../ports.ts';
import { Backlogs } from '../backlog/backlogs.ts';
import type { DeliveriesOf } from '../backlog/walk.ts';
import { type Delivery, type RecordDeliveries, receiverOf } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { callbackTraces, recordCallbacks } from '../delivery/record-callbacks.ts';
import { InOrder } from '../events/in-order.ts';
import { addressedNow, eventsOf, type LaneEvents, laneEvents } from '../events/lane-subscriptions.ts';
import { followLiveValues } from '../events/must-drop.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import { ReplayJobs } from '../replay/replay-jobs.ts';
import { replayRunner } from '../replay/run-replay.ts';
import { DeliveryTable } from '../store/delivery-table.ts';
import { type BacklogRange, backlogId, newReplay, type ReplayJob, wholeLane } from '../store/entries.ts';
import { persistently, Stopped } from '../store/persistently.ts';
import { Flushes, LaneFlushes } from '../stored/flushes.ts';
import { StoredDeliveries } from '../stored/stored-deliveries.ts';
import { Cursor } from './cursor.ts';
import type { LaneOutboxPorts } from './lane-outbox.ts';

/**
 * One run over a lane's records, from the stored cursor until the log breaks or the lane is given up. It
 * delivers callbacks and flushes, or the events of subscriptions.
 */
export class LaneRun {
  readonly stored: StoredDeliveries;
  readonly backlogs: Backlogs;
  readonly replays: ReplayJobs;
  readonly #lane: number;
  readonly #ports: LaneOutboxPorts;
  readonly #table: DeliveryTable;
  readonly #flushes: Flushes;
  /** null: it delivers callbacks. */
  readonly #events: LaneEvents | null;
  readonly #deliveriesOf: DeliveriesOf;
  readonly #filter: { readonly events: true } | { readonly hooks: true };
  readonly #guard: { readonly clock: LaneOutboxPorts['clock']; readonly stopped: () => boolean };
  #cursor: Cursor | null = null;
  #isLoaded = false;
  #follower: Follower | null = null;
  #ticks: { stop(): void } | null = null;
  /** Deliveries whose content is in memory, and records whose commands are being read. */
  #unstored = 0;
  #reading = 0;
  #makeRoom: () => void = () => {};
  /** The first record that only a newer release can read. */
  #unsupported: number | null = null;
  /** No further record begins before the upgrade. */
  #awaitsUpgrade = false;
  #stopped = false;
  #isStopping = false;

  constructor(lane: number, ports: LaneOutboxPorts, subscriptions: Subscriptions | null) {
    const { log, bus, clock, random, sender, report, table } = ports;
    const of = subscriptions === null ? 'callbacks' : 'events';
    this.#lane = lane;
    this.#ports = ports;
    this.#guard = { clock, stopped: () => this.#stopped };
    this.#filter = subscriptions === null ? { hooks: true } : { events: true };
    this.#table = new DeliveryTable(lane, of, { ...this.#guard, random, table, report });
    const flushes = new LaneFlushes(lane, { ...this.#guard, log, bus, random });
    this.stored = new StoredDeliveries({
      clock,
      random,
      sender,
      table: this.#table.deliveries,
      flushes,
      report,
      current: (delivery) => (subscriptions === null ? delivery : addressedNow(delivery, subscriptions)),
      room: ports.room,
    });
    const read = (sequence: number) => this.#read(sequence);
    const deliveriesOf: DeliveriesOf =
      subscriptions === null
        ? (record) => recordCallbacks(lane, record, read)
        : eventsOf(lane, subscriptions, flushes);
    this.#deliveriesOf = deliveriesOf;
    const stopped = () => this.#stopped;
    const orderPorts = { sender, stored: this.stored, backlogs: () => this.backlogs, stopped };
    const inOrder = subscriptions && new InOrder(orderPorts);
    const unsupported = (sequence: number, error: LogError) => this.#foundUnsupported(sequence, error);
    this.backlogs = new Backlogs({
      lane,
      clock,
      random,
      log,
      filter: this.#filter,
      deliveriesOf,
      inTurn: (delivery, work) => inOrder?.inTurn(delivery, work) ?? work(),
      send: (delivery) =>
        inOrder?.ofBacklog(delivery) ?? sender.repeat(receiverOf(delivery), async () => delivery),
      table: this.#table.backlogs,
      stored: this.stored,
      unsupported,
      guard: this.#guard,
      fence: async () => this.#cursor?.fence(),
      cursor: () => this.cursor ?? 0,
      lost: ports.lost,
      overtaken: () => this.#overtaken(),
      report,
    });
    const { stored, backlogs } = this;
    const next = () => this.#cursor?.next ?? 0;
    this.#events =
      inOrder &&
      subscriptions &&
      laneEvents(inOrder, flushes, { lane, log, guard: this.#guard, subscriptions, stored, backlogs, next });
    const send = (delivery: Delivery, job: ReplayJob) => this.#replay(delivery, job);
    this.replays = new ReplayJobs(
      this.#table.replays,
      clock,
      replayRunner({
        lane,
        log,
        filter: this.#filter,
        deliveriesOf,
        guard: this.#guard,
        stored: this.stored,
        unsupported,
        send,
      }),
    );
    this.#flushes = new Flushes(lane, { clock, lane: flushes, stored: this.stored, report });
  }

  /** The lowest sequence that is not done; null: not known yet. */
  get cursor(): number | null {
    return this.#cursor?.sequence ?? null;
  }

  /** When the oldest record that is not done was made. */
  get oldestMs(): number | null {
    return this.#cursor?.oldestMs ?? null;
  }

  /** The record that only a newer release can read; null: there is none so far. */
  get unsupported(): number | null {
    return this.#unsupported;
  }

  /** The stored deliveries can be asked for. */
  get isLoaded(): boolean {
    return this.#isLoaded && !this.#stopped;
  }

  /** @throws LogError when the log breaks */
  async follow(): Promise<void> {
    const stored = await this.#table.readCursor();
    await this.#table.replays.each((job, revision) => this.replays.take(job, revision));
    await this.#table.backlogs.each((backlog, revision) => this.backlogs.take(backlog, revision));
    await this.#table.deliveries.each((each, revision) => this.stored.take(each, revision));
    if (!(await this.backlogs.claim())) throw this.#busy();
    const from =
      this.#events === null
        ? (stored ?? (await this.#leaveBacklog()))
        : await this.#firstEvent(this.#events, stored);
    if (this.#stopped) return;
    this.replays.begin();
    this.#isLoaded = true;
    const cursor = new Cursor(from, {
      clock: this.#ports.clock,
      table: this.#table,
      overtaken: () => this.#overtaken(),
    });
    this.#cursor = cursor;
    this.backlogs.start(from);
    if (this.#events === null) this.#flushes.watch();
    else {
      await this.subscribed(this.#ports.clock.nowMs() - outboxLimits.newSubscriptionMs);
      this.#ticks = followLiveValues(this.#lane, this.#events.mustDrop, this.#ports);
      if (this.#stopped) this.#ticks.stop();
    }
    this.#follower = this.#ports.log.followOutcomes(this.#lane, from, this.#filter, {
      message: (stored) => this.#take(stored, cursor),
      caughtUp: (lastSequence) => cursor.passed(lastSequence),
    });
    try {
      await this.#follower.done;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** At the very first start a replay sends what was accepted before, so that new callbacks do not wait. */
  async #leaveBacklog(): Promise<number> {
    const { log, clock } = this.#ports;
    const last = await persistently(this.#guard, () => log.lastOutcome(this.#lane));
    const nowMs = clock.nowMs();
    const job = { ...newReplay(backlogId, nowMs), fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, last };
    // A run that was killed before it wrote the cursor has left a replay that ends earlier.
    const end = last === 0 ? 0 : ((await this.replays.add(job))?.last ?? last);
    if (!(await this.#table.writeCursor(end + 1))) throw this.#busy();
    return end + 1;
  }

  /** Nothing before the oldest subscription is wanted. */
  async #firstEvent(events: LaneEvents, stored: number | null): Promise<number> {
    const from = Math.max(await events.subscriptions.first(), stored ?? 0);
    if (from !== stored && !(await this.#table.writeCursor(from))) throw this.#busy();
    return from;
  }

  /** The subscriptions have changed; those from before `sinceMs` have missed nothing. */
  async subscribed(sinceMs = 0): Promise<void> {
    if (this.isLoaded) await this.#events?.subscriptions.changed(sinceMs);
  }

  #busy(): LogError {
    return new LogError('unavailable', `Another process works for lane ${this.#lane}.`);
  }

  /** Waits a little for what is under way, then gives the lane up. */
  async stop(): Promise<void> {
    const { clock } = this.#ports;
    const untilMs = clock.elapsedMs() + outboxLimits.drainMs;
    this.#isStopping = true;
    this.#makeRoom();
    await this.#follower?.stop();
    while (!this.#stopped && this.#unstored > 0 && clock.elapsedMs() < untilMs)
      await pause(clock, outboxLimits.drainCheckMs);
    try {
      if (!this.#stopped) await this.#cursor?.stop();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      this.#end();
    }
  }

  /** Another process works for the lane, or has: the next run reads what it has stored. */
  #overtaken(): void {
    this.#end();
    // Stopping waits for the reader, which may be the caller.
    this.#follower?.stop().catch(crash);
  }

  #end(): void {
    this.#stopped = true;
    this.#ticks?.stop();
    this.stored.stop();
    this.backlogs.stop();
    this.#flushes.stop();
    this.#makeRoom();
  }

  /**
   * A damaged record is passed over: later callbacks must not wait for a repair. At one of a newer release
   * the lane waits for the upgrade (docs/decisions/0304).
   */
  #take({ sequence, bytes, timestampMs, traces }: StoredOutcome, cursor: Cursor): Promise<void> | void {
    let record: OutcomeRecord;
    try {
      record = decodeOutcomeRecord(bytes);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (error.code === 'unsupported') {
        cursor.begin(sequence, timestampMs);
        this.#awaitsUpgrade = true;
        this.#foundUnsupported(sequence, error);
        return this.#whenRoom();
      }
      this.#ports.report(
        `Record ${sequence} of lane ${this.#lane} cannot be read; its callbacks are lost.`,
        error,
      );
      this.#ports.lost(1);
      return cursor.passed(sequence);
    }
    return this.#begin(record, cursor, traces);
  }

  /** Records are worked on at the same time, within limits. */
  #begin(record: OutcomeRecord, cursor: Cursor, traces: string | undefined): Promise<void> | void {
    cursor.begin(record.sequence, record.timestampMs);
    const found = this.#found(record);
    const delivered = found.then((each) => this.#deliver(record, each, cursor, traces));
    delivered.catch((error: unknown) => {
      if (!(error instanceof Stopped)) crash(error);
    });
    const room = () => (this.#isFull() ? this.#whenRoom() : undefined);
    // Events enter their lines in the order of the records.
    return this.#events === null ? room() : found.then(room, () => {});
  }

  #whenRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  /** Stored deliveries go on, and so does what has begun. */
  #foundUnsupported(sequence: number, error: LogError): void {
    if (this.#unsupported !== null && this.#unsupported <= sequence) return;
    this.#unsupported = sequence;
    this.#ports.report(`Lane ${this.#lane} waits at record ${sequence} for a newer release.`, error);
  }

  #isFull(): boolean {
    // A stopping run waits for its reader.
    if (this.#stopped || this.#isStopping) return false;
    if (this.#awaitsUpgrade) return true;
    return this.#reading >= outboxLimits.recordsAtOnce || this.#unstored >= outboxLimits.unstoredPerLane;
  }

  async #deliver(
    record: OutcomeRecord,
    found: RecordDeliveries | null,
    cursor: Cursor,
    traces: string | undefined,
  ): Promise<void> {
    if (found === null) return;
    const { deliveries, lost } = found;
    const work = this.#events === null ? record.work : [];
    const flushes = work.flatMap((each) => (each.kind === 'FlushDue' ? [each.flush] : []));
    this.#unstored += deliveries.length + flushes.length;
    if (!this.#isFull()) this.#makeRoom();
    if (lost > 0) this.#ports.lost(lost);
    const traceOf = callbackTraces(traces);
    await Promise.all([
      ...deliveries.map((delivery) => this.#first(delivery, traceOf(delivery.id))),
      ...flushes.map((flush) => this.#flush(flush, record.sequence)),
    ]);
    if (!this.#stopped) cursor.done(record.sequence);
  }

  /** null: only a newer release can read the commands. The record stays open. */
  async #found(record: OutcomeRecord): Promise<RecordDeliveries | null> {
    this.#reading += 1;
    try {
      return await this.#deliveriesOf(record);
    } catch (error) {
      if (!(error instanceof LogError && error.code === 'unsupported')) throw error;
      this.#awaitsUpgrade = true;
      this.#foundUnsupported(record.sequence, error);
      return null;
    } finally {
      this.#reading -= 1;
    }
  }

  /** A delivery that is neither done nor stored keeps its record open: a restart begins there. */
  async #first(delivery: Delivery, trace: TraceParent | undefined): Promise<void> {
    if (this.#events !== null) await this.#events.inOrder.first(delivery);
    else if (!this.stored.has(delivery.id) && !this.backlogs.covers(delivery))
      await this.#try(delivery, wholeLane, trace);
    this.#leave();
  }

  async #replay(delivery: Delivery, { id, last, fromMs, toMs, owners }: ReplayJob): Promise<void> {
    if (this.backlogs.awaits(delivery) || this.backlogs.covers(delivery, id)) return;
    const range = { replay: id, last, fromMs, toMs, owners };
    await (this.#events?.inOrder.first(delivery, range) ?? this.#try(delivery, range));
  }

  async #try(delivery: Delivery, range: BacklogRange, trace?: TraceParent): Promise<void> {
    const result = await this.#ports.sender.first(delivery, trace);
    if (this.#stopped) throw new Stopped('The lane was given up.');
    await this.backlogs.keep(delivery, result, range);
  }

  async #flush(flush: FlushRecord, sequence: number): Promise<void> {
    await this.#flushes.begin(flush, sequence);
    this.#leave();
  }

  /** A delivery's content is no longer in memory. */
  #leave(): void {
    this.#unstored -= 1;
    if (!this.#isFull()) this.#makeRoom();
  }

  async #read(sequence: number): Promise<LoggedBatch['commands'] | null> {
    const { log, report } = this.#ports;
    try {
      const found = await persistently(this.#guard, () => log.readCommand(this.#lane, sequence));
      return found === null ? null : decodeCommandBatch(found.bytes).commands;
    } catch (error) {
      if (!(error instanceof LogError) || error.code === 'unsupported') throw error;
      report(`Command ${sequence} of lane ${this.#lane} cannot be read.`, error);
      return null;
    }
  }
}
