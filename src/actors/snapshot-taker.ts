import type { LanePorts, LaneSettings } from './ports.ts';
import type { Replica } from './replica.ts';
import { uploadSnapshot } from './snapshot-archive.ts';
import { SnapshotEncoder } from './snapshot-format.ts';
import { expendableSnapshots } from './snapshot-retention.ts';
import type { SnapshotDraft, SnapshotName } from './snapshot-store.ts';
import { pause } from './waiting.ts';

const lookForOutcomeEveryMs = 20;
/** A snapshot whose OUT record is not stored after this time is given up. */
const longestWaitForOutcomeMs = 30_000;
const lookAtClockEveryMs = 1000;

/**
 * Takes snapshots of a lane between its messages: the state is copied while the lane goes on, and the copy of sequence
 * s is kept only after OUT record s is stored. One at a time.
 */
export class SnapshotTaker {
  readonly #replica: Replica;
  readonly #storedOutcome: () => number;
  readonly #ports: LanePorts;
  readonly #settings: LaneSettings;
  #lastSequence: number;
  #lastTakenMs: number;
  #lastUploadMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #uploading: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(replica: Replica, storedOutcome: () => number, ports: LanePorts, settings: LaneSettings) {
    this.#replica = replica;
    this.#storedOutcome = storedOutcome;
    this.#ports = ports;
    this.#settings = settings;
    this.#lastSequence = replica.appliedSequence;
    this.#lastTakenMs = ports.clock.nowMs();
  }

  start(): void {
    this.#cancel = this.#ports.clock.after(lookAtClockEveryMs, () => {
      const waitedMs = this.#ports.clock.nowMs() - this.#lastTakenMs;
      if (waitedMs >= this.#settings.snapshotEveryMs && this.#behind() > 0) this.#begin();
      this.start();
    });
  }

  /** After each message: begins a snapshot where enough messages came since the last one. */
  applied(): void {
    if (this.#behind() >= this.#settings.snapshotEveryMessages && this.#running === null) this.#begin();
  }

  /** Takes one now, unless one is being taken or nothing came since the last. */
  take(): Promise<void> {
    if (this.#running === null && this.#behind() > 0 && !this.#stopped) {
      this.#running = this.#take()
        .catch((error) => this.#ports.monitor.alarm(this.#replica.lane, 'snapshot_failed', String(error)))
        .finally(() => {
          this.#running = null;
        });
    }
    return this.#running ?? Promise.resolve();
  }

  /** Lets a snapshot that is being taken, and an upload, come to its end. */
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

  #behind(): number {
    return this.#replica.appliedSequence - this.#lastSequence;
  }

  async #take(): Promise<void> {
    const { monitor, clock } = this.#ports;
    const { lane, laneHead, engine } = this.#replica;
    const header = { lane, laneHead, sequence: engine.appliedSequence, timestampMs: engine.timestampMs };
    const beganSeconds = monitor.stopwatchSeconds();
    // The copy belongs to this sequence: it is begun before anything is awaited.
    const chunks = engine.snapshot()[Symbol.iterator]();
    const first = chunks.next();
    this.#lastSequence = header.sequence;
    this.#lastTakenMs = clock.nowMs();
    let draft: SnapshotDraft | null = null;
    try {
      draft = await this.#ports.snapshots.create(header);
      const encoder = new SnapshotEncoder();
      await draft.write(encoder.begin(header));
      for (let chunk = first; chunk.done !== true; chunk = chunks.next()) {
        await draft.write(encoder.frame(chunk.value));
      }
      await draft.write(encoder.end());
      if (!(await this.#outcomeStored(header.sequence))) return await draft.discard();
      await draft.keep();
      monitor.snapshotKept(lane, header.sequence, monitor.stopwatchSeconds() - beganSeconds);
      await this.#removeExpendable(header.timestampMs);
      this.#upload(header);
    } catch (error) {
      monitor.alarm(lane, 'snapshot_failed', String(error));
      await draft?.discard().catch(() => {});
    }
  }

  async #outcomeStored(sequence: number): Promise<boolean> {
    const untilMs = this.#ports.clock.nowMs() + longestWaitForOutcomeMs;
    while (this.#storedOutcome() < sequence) {
      if (this.#stopped || this.#ports.clock.nowMs() >= untilMs) return false;
      await pause(this.#ports.clock, lookForOutcomeEveryMs);
    }
    return true;
  }

  async #removeExpendable(nowMs: number): Promise<void> {
    const { snapshots } = this.#ports;
    const all = await snapshots.list(this.#replica.lane);
    for (const name of expendableSnapshots(all, nowMs, this.#settings.logKeptMs)) {
      await snapshots.remove(this.#replica.lane, name);
    }
  }

  #upload(name: SnapshotName): void {
    const nowMs = this.#ports.clock.nowMs();
    if (this.#uploading !== null || nowMs - this.#lastUploadMs < this.#settings.uploadEveryMs) return;
    this.#lastUploadMs = nowMs;
    const { lane } = this.#replica;
    const uploading = async (): Promise<void> => {
      const bytes = await this.#ports.snapshots.read(lane, name);
      if (bytes === null) return;
      const archive = await this.#ports.log.archive('SNAPSHOTS');
      await uploadSnapshot(archive, lane, name, bytes, this.#settings.logKeptMs);
    };
    this.#uploading = uploading()
      .catch((error) => this.#ports.monitor.alarm(lane, 'snapshot_upload_failed', String(error)))
      .finally(() => {
        this.#uploading = null;
      });
  }
}
