import { pause } from '../../../lib/pauses.ts';
import type { SnapshotName } from '../../../log/archive/snapshot-names.ts';
import { errorText } from '../../../log/base/error-text.ts';
import type { ActorPorts, ActorSettings } from '../../ports/actor-ports.ts';
import { throughOutages } from '../../ports/outages.ts';
import type { SnapshotDraft, SnapshotHeader } from '../../ports/snapshot-store.ts';
import type { Replica } from '../../replica/replica.ts';
import { HeadChecks } from '../../witness/head-checks.ts';
import { SnapshotEncoder } from './format.ts';
import { ReplayWork, SnapshotPace } from './pace.ts';
import { expendableSnapshots, uploadSnapshot } from './upload.ts';

const outcomePollIntervalMs = 20;
/** A snapshot whose OUT record is not stored after this time is given up. */
const maxOutcomeWaitMs = 30_000;
const clockPollIntervalMs = 1000;
/** After a replay of this part of a snapshot's work the next crash should not meet it again. */
const partAfterReplay = 0.1;
/** A replay serves no caller: it takes a snapshot only after this many snapshots' worth of work. */
const partDuringReplay = 20;
/** Bytes of snapshots that a lane writes at most in the long run: they take processor time. */
const maxBytesPerSecond = 48 * 1024 * 1024;
/** The disk is the log's for this many times as long as a snapshot took. */
const restFactor = 1;
/** Where a standby takes snapshots, the owner takes its own this much more seldom. */
const seldomFactor = 10;
const firstRetryMs = 5000;
const maxRetryMs = 300_000;

/** The snapshot that a lane was recovered from. */
export interface SnapshotOrigin {
  /** The lane's time of it; null: there was none. Its age does not begin anew with each process. */
  readonly timestampMs: number | null;
  /** A newer one was torn or unreadable: the next crash should not meet it. */
  readonly isReplacement: boolean;
}

/**
 * Takes snapshots of a lane between its messages: copies the state while the lane continues, and keeps the
 * copy of sequence s only after OUT record s is stored. One at a time; due by the work of a replay since the
 * last one or by its age, and never as often that the disk has no time for others (docs/decisions/0074).
 */
export class SnapshotTaker {
  readonly #replica: Replica;
  readonly #storedOutcome: () => number;
  readonly #ports: ActorPorts;
  readonly #settings: ActorSettings;
  readonly #hasStandby: () => boolean;
  #work = new ReplayWork();
  #isServing = false;
  /** When the last one was begun, by `elapsedMs`; without one the time of the first message. */
  #lastMs: number | null;
  #isDue: boolean;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #lastUploadMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #draft: SnapshotDraft | null = null;
  #isHurried = false;
  /** Size of the last one that was written to its end; null: none was yet. */
  #lastBytes: number | null = null;
  #uploading: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(
    replica: Replica,
    origin: SnapshotOrigin,
    storedOutcome: () => number,
    ports: ActorPorts,
    settings: ActorSettings,
    hasStandby: () => boolean = () => false,
  ) {
    this.#hasStandby = hasStandby;
    this.#replica = replica;
    this.#storedOutcome = storedOutcome;
    this.#ports = ports;
    this.#settings = settings;
    this.#lastMs = origin.timestampMs === null ? null : this.#elapsedAt(origin.timestampMs);
    this.#isDue = origin.isReplacement;
  }

  /** The lane serves: what was replayed until now counts, a good part of a snapshot's worth of it at once. */
  start(): void {
    this.#isServing = true;
    if (this.#isWorth(partAfterReplay)) this.#isDue = true;
    this.#pollLater();
  }

  /** After each message: begins a snapshot where enough work came since the last one. */
  applied(commands: number, bytes: number, seconds: number): void {
    this.#lastMs ??= this.#elapsedAt(this.#replica.engine.timestampMs);
    this.#work.add(commands, bytes, seconds);
    if (this.#running !== null) return;
    if (this.#isWorth(this.#isServing ? 1 : partDuringReplay) && this.#mayBegin()) this.#begin();
  }

  /** Takes and uploads one as soon as the disk allows: other copies are damaged, or must go. */
  demand(): void {
    this.#isDue = true;
    this.#lastUploadMs = Number.NEGATIVE_INFINITY;
  }

  /** Takes one now, unless one is being taken or nothing came since the last. */
  take(): Promise<void> {
    if (this.#running === null && this.#hasNews() && !this.#stopped) {
      this.#running = this.#take()
        .catch((error) => this.#ports.monitor.alarm(this.#replica.lane, 'snapshot_failed', errorText(error)))
        .finally(() => {
          this.#running = null;
        });
    }
    return this.#running ?? Promise.resolve();
  }

  /**
   * The process ends, and the next one waits for this state: takes one as fast as the disk allows. One that
   * is being taken is good enough where little came since.
   */
  async takeLast(): Promise<void> {
    this.#isHurried = true;
    this.#draft?.hurry();
    const isRunning = this.#running !== null;
    await this.#running;
    if (!isRunning || this.#isWorth(partAfterReplay)) await this.take();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#stopped = true;
    await this.#running;
    await this.#uploading;
  }

  #begin(): void {
    // What went wrong is in the alarm of `take`.
    this.take().catch(() => {});
  }

  #pollLater(): void {
    this.#cancel = this.#ports.clock.after(clockPollIntervalMs, () => {
      const nowMs = this.#ports.clock.elapsedMs();
      const ageMs = nowMs - (this.#lastMs ?? nowMs);
      const isOld = ageMs >= this.#settings.snapshotEveryMs * this.#factor();
      const isDue = this.#isDue || this.#isWorth(1) || isOld;
      if (isDue && this.#mayBegin()) this.#begin();
      this.#pollLater();
    });
  }

  #elapsedAt(timestampMs: number): number {
    const { clock } = this.#ports;
    return clock.elapsedMs() - Math.max(0, clock.nowMs() - timestampMs);
  }

  #hasNews(): boolean {
    return this.#work.messages > 0 || (this.#isDue && this.#replica.appliedSequence > 0);
  }

  #factor(): number {
    return this.#hasStandby() ? seldomFactor : 1;
  }

  #isWorth(part: number): boolean {
    return this.#work.part(this.#settings) >= part * this.#factor();
  }

  #mayBegin(): boolean {
    return this.#ports.clock.elapsedMs() >= this.#notBeforeMs;
  }

  async #take(): Promise<void> {
    const { monitor, clock } = this.#ports;
    const { lane, laneHead, engine } = this.#replica;
    const header = { lane, laneHead, sequence: engine.appliedSequence, timestampMs: engine.timestampMs };
    const beganSeconds = monitor.stopwatchSeconds();
    const beganMs = clock.elapsedMs();
    // The copy belongs to this sequence: it is begun before anything is awaited.
    const chunks = engine.snapshot()[Symbol.iterator]();
    const first = chunks.next();
    const work = this.#work;
    this.#work = new ReplayWork();
    let draft: SnapshotDraft | null = null;
    let isStored = false;
    let restMs = 0;
    try {
      draft = await this.#ports.snapshots.create(header);
      this.#draft = draft;
      if (this.#isHurried) draft.hurry();
      const encoder = new SnapshotEncoder();
      const pace = this.#pace();
      const write = draft.write.bind(draft);
      await write(encoder.begin(header));
      for (let chunk = first; chunk.done !== true; chunk = chunks.next()) {
        await write(encoder.frame(chunk.value));
        await pace.write(chunk.value, write);
      }
      await write(encoder.end());
      this.#lastBytes = pace.bytes;
      restMs = restAfter(pace, clock.elapsedMs() - beganMs);
      if (!(await this.#outcomeStored(header.sequence))) return await draft.discard();
      if (!(await this.#isOfOutcomes(header))) return await draft.discard();
      await draft.commit();
      isStored = true;
      monitor.snapshotStored(lane, header.sequence, monitor.stopwatchSeconds() - beganSeconds);
      await this.#removeExpendable(header.timestampMs);
      this.#upload(header);
    } catch (error) {
      monitor.alarm(lane, 'snapshot_failed', errorText(error));
      await draft?.discard().catch(() => {});
    } finally {
      this.#draft = null;
      if (isStored) this.#recordStored(beganMs, restMs);
      else this.#failed(work);
    }
  }

  #pace(): SnapshotPace {
    return new SnapshotPace({
      clock: this.#ports.clock,
      expectedBytes: this.#lastBytes,
      workPart: () => this.#work.part(this.#settings),
      isHurried: () => this.#isHurried || this.#stopped,
    });
  }

  #recordStored(beganMs: number, restMs: number): void {
    this.#failures = 0;
    this.#isDue = false;
    this.#lastMs = beganMs;
    const nowMs = this.#ports.clock.elapsedMs();
    this.#notBeforeMs = Math.max(beganMs + this.#settings.snapshotRestMs, nowMs + restMs);
  }

  /** Its work is left to the next one, which is tried ever more slowly. */
  #failed(work: ReplayWork): void {
    this.#work.join(work);
    this.#isDue = true;
    this.#notBeforeMs =
      this.#ports.clock.elapsedMs() + Math.min(maxRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
  }

  async #outcomeStored(sequence: number): Promise<boolean> {
    const untilMs = this.#ports.clock.elapsedMs() + maxOutcomeWaitMs;
    while (this.#storedOutcome() < sequence) {
      if (this.#stopped || this.#ports.clock.elapsedMs() >= untilMs) return false;
      await pause(this.#ports.clock, outcomePollIntervalMs);
    }
    return true;
  }

  /**
   * A state that is not the one of OUT must not be recovered from. A record that is gone or damaged proves
   * nothing. false: OUT cannot be read.
   */
  async #isOfOutcomes({ sequence, laneHead }: SnapshotHeader): Promise<boolean> {
    const { log, clock } = this.#ports;
    const untilMs = clock.elapsedMs() + maxOutcomeWaitMs;
    const checks = await throughOutages(
      clock,
      () => this.#stopped || clock.elapsedMs() >= untilMs,
      () => HeadChecks.read(log, this.#replica.lane, sequence, sequence),
    );
    if (checks?.check(sequence, laneHead) === 'different')
      throw new Error(`The state of sequence ${sequence} has another lane head than OUT: it is not kept.`);
    return checks !== null;
  }

  async #removeExpendable(nowMs: number): Promise<void> {
    const { snapshots } = this.#ports;
    const all = await snapshots.list(this.#replica.lane);
    for (const name of expendableSnapshots(all, nowMs, this.#settings.logRetentionMs)) {
      await snapshots.remove(this.#replica.lane, name);
    }
  }

  #upload(name: SnapshotName): void {
    const nowMs = this.#ports.clock.elapsedMs();
    if (this.#uploading !== null || nowMs - this.#lastUploadMs < this.#settings.uploadEveryMs) return;
    this.#lastUploadMs = nowMs;
    const { lane } = this.#replica;
    const uploading = async (): Promise<void> => {
      const bytes = await this.#ports.snapshots.read(lane, name);
      if (bytes === null) return;
      const archive = await this.#ports.log.archive('SNAPSHOTS');
      await uploadSnapshot(archive, lane, name, bytes, this.#settings.logRetentionMs);
    };
    this.#uploading = uploading()
      .catch((error) => this.#ports.monitor.alarm(lane, 'snapshot_upload_failed', errorText(error)))
      .finally(() => {
        this.#uploading = null;
      });
  }
}

/** Milliseconds that the disk is left to others after a snapshot; waits between its parts count as such. */
function restAfter({ bytes, waitedMs }: SnapshotPace, writingMs: number): number {
  const busyMs = writingMs - waitedMs;
  return Math.max(0, restFactor * busyMs - waitedMs, (1000 * bytes) / maxBytesPerSecond - writingMs);
}
