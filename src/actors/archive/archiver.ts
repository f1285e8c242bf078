import { crash } from '../../lib/crash.ts';
import { PacedBytes } from '../../lib/pauses.ts';
import type { ArchiveLimits } from '../../log/archive/limits.ts';
import type { SegmentIndex } from '../../log/archive/segment-index.ts';
import { errorText } from '../../log/base/error-text.ts';
import { storageSubject } from '../../log/base/names.ts';
import { encodeLaneNeed, type LaneNeed } from '../../log/lanes/storage-question.ts';
import { type Bus, type Clock, type Log, LogError, type StreamExtent } from '../../ports.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';
import { type Due, LaneArchiver } from './lane-archiver.ts';

/** What is known of the archive of a lane that this host owns. */
export interface ArchiveState {
  readonly lane: number;
  readonly segments: number;
  readonly storedBytes: number;
  readonly archivedTo: number;
  /** Age of the oldest message that is not archived. */
  readonly behindMs: number;
  readonly firstKept: number;
}

export interface ArchiverPorts {
  /** On a connection of its own; without the archive in front. */
  readonly log: Log;
  readonly trimming: Trimming;
  readonly index: SegmentIndex;
  readonly clock: Clock;
  readonly monitor: ActorMonitor;
  /** Whether this host owns the lane: one host archives it. */
  owns(lane: number): boolean;
  /** Whether the lane refuses contributions for want of room. */
  isFull(lane: number): boolean;
  /** The first message of an epoch that is not revealed; infinite: there is none. */
  firstUnrevealed(lane: number): number;
  /** Recovery must not need what leaves: keep the state of now. */
  requestSnapshot(lane: number): void;
}

const alarmRepeatMs = 3_600_000;

/**
 * Archives the log of the lanes that this host owns (docs/decisions/0332), and asks `storage` to trim their
 * streams after that: what leaves a stream is in the archive, and no recovery needs it.
 */
export class Archiver {
  readonly #ports: ArchiverPorts;
  readonly #lanes: number;
  readonly #limits: ArchiveLimits;
  readonly #archivers: readonly LaneArchiver[];
  readonly #known = new Map<number, ArchiveState>();
  readonly #alarmedAtMs = new Map<number, number>();
  /** Lanes that are short of room, and when a snapshot was requested for that. */
  readonly #pressed = new Map<number, number>();
  readonly #pace: PacedBytes;
  #working: Promise<void> | null = null;
  #cancel: () => void = () => {};
  #cancelWatch: () => void = () => {};
  #stopped = false;

  constructor(ports: ArchiverPorts, lanes: number, limits: ArchiveLimits) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#limits = limits;
    this.#pace = new PacedBytes(ports.clock);
    this.#archivers = Array.from({ length: lanes }, (_, lane) => {
      const worked = (bytes: number) => this.#worked(lane, bytes);
      return new LaneArchiver(lane, { log: ports.log, index: ports.index, limits, worked });
    });
  }

  start(): void {
    this.#passSoon();
    this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#cancelWatch();
    await this.#working;
  }

  archives(): readonly ArchiveState[] {
    return [...this.#known.values()].filter(({ lane }) => this.#ports.owns(lane));
  }

  warnings(): readonly string[] {
    return [...this.#alarmedAtMs.keys()].map((lane) => `the log of lane ${lane} is not archived`);
  }

  #passSoon(): void {
    this.#cancel();
    this.#working ??= this.#pass()
      .catch(crash)
      .finally(() => {
        this.#working = null;
      });
  }

  /** A lane that has become full since the last pass waits for no other pass. */
  #watch(): void {
    const isFull = this.#archivers.some((_, lane) => this.#isFull(lane) && !this.#pressed.has(lane));
    if (isFull) this.#passSoon();
    this.#cancelWatch = this.#ports.clock.after(this.#limits.pressedEveryMs, () => this.#watch());
  }

  #isFull(lane: number): boolean {
    return this.#ports.owns(lane) && this.#ports.isFull(lane);
  }

  async #pass(): Promise<void> {
    for (let lane = 0; lane < this.#lanes && !this.#stopped; lane += 1) {
      if (this.#ports.owns(lane)) await this.#guarded(lane);
    }
    const everyMs = this.#pressed.size > 0 ? this.#limits.pressedEveryMs : this.#limits.everyMs;
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(everyMs, () => this.#passSoon());
  }

  async #guarded(lane: number): Promise<void> {
    try {
      await this.round(lane);
      this.#alarmedAtMs.delete(lane);
    } catch (error) {
      // An outage has its own alarms.
      if (this.#stopped || (error instanceof LogError && error.retryable)) return;
      const nowMs = this.#ports.clock.elapsedMs();
      if (nowMs - (this.#alarmedAtMs.get(lane) ?? Number.NEGATIVE_INFINITY) < alarmRepeatMs) return;
      this.#alarmedAtMs.set(lane, nowMs);
      const consequence = 'It is not trimmed either, and its streams fill.';
      this.#ports.monitor.alarm(
        lane,
        'log_not_archived',
        `The log cannot be archived: ${errorText(error)} ${consequence}`,
      );
    }
  }

  async round(lane: number): Promise<void> {
    const { clock, index } = this.#ports;
    await this.#judgePressure(lane);
    const archiver = this.#archivers[lane] as LaneArchiver;
    for (;;) {
      if (this.#stopped || !this.#ports.owns(lane) || !(await archiver.next(this.#due(lane)))) break;
    }
    if (this.#stopped || !this.#ports.owns(lane)) return;
    await this.#ports.trimming.ask({
      lane,
      keepFrom: this.#ports.firstUnrevealed(lane),
      isPressed: this.#pressed.has(lane),
    });
    const { archiveMs } = this.#limits;
    if (archiveMs !== null) await archiver.removeOld(clock.nowMs() - archiveMs);
    const { commands } = await this.#ports.log.extents(lane);
    const behindMs = await this.#behindMs(lane, commands);
    const { firstSequence: firstKept } = commands;
    const segments = index.segments(lane);
    this.#known.set(lane, {
      lane,
      segments: segments.length,
      storedBytes: segments.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
      archivedTo: index.lastSequence(lane),
      behindMs,
      firstKept,
    });
  }

  #due(lane: number): Due {
    const { archiveAfterMs, partialAfterMs, pressedPartialAfterMs } = this.#limits;
    const nowMs = this.#ports.clock.nowMs();
    return this.#pressed.has(lane)
      ? { nowMs, ageMs: 0, partialAgeMs: this.#isFull(lane) ? 0 : pressedPartialAfterMs }
      : { nowMs, ageMs: archiveAfterMs, partialAgeMs: partialAfterMs };
  }

  async #judgePressure(lane: number): Promise<void> {
    const fills = await this.#ports.log.fill(lane);
    const isPressed = fills.some(
      ({ bytes, maxBytes }) => maxBytes > 0 && bytes >= maxBytes * this.#limits.pressedRatio,
    );
    if (isPressed || this.#isFull(lane)) this.#press(lane);
    else this.#pressed.delete(lane);
  }

  /** A newer snapshot frees what lies before it. */
  #press(lane: number): void {
    const nowMs = this.#ports.clock.elapsedMs();
    const requestedMs = this.#pressed.get(lane) ?? Number.NEGATIVE_INFINITY;
    const { pressedSnapshotMs, fullSnapshotMs } = this.#limits;
    if (nowMs - requestedMs < (this.#isFull(lane) ? fullSnapshotMs : pressedSnapshotMs)) return;
    this.#pressed.set(lane, nowMs);
    this.#ports.requestSnapshot(lane);
  }

  async #behindMs(lane: number, commands: StreamExtent): Promise<number> {
    const { clock, index, log } = this.#ports;
    const first = Math.max(index.lastSequence(lane) + 1, commands.firstSequence);
    if (first > commands.lastSequence) return 0;
    const command = await log.readCommand(lane, first);
    return command === null ? 0 : Math.max(0, clock.nowMs() - command.timestampMs);
  }

  async #worked(lane: number, bytes: number): Promise<void> {
    if (this.#stopped) throw new LogError('stopped', 'The archiver was stopped.');
    const { bytesPerSecond, pressedBytesPerSecond } = this.#limits;
    await this.#pace.worked(bytes, this.#pressed.has(lane) ? pressedBytesPerSecond : bytesPerSecond);
  }
}

const answerWithinMs = 5_000;

/** Who trims the streams of a lane, as its owner asks for it. */
interface Trimming {
  /** Resolves when the question has arrived; what is done about it takes its time. */
  ask(need: LaneNeed): Promise<void>;
}

/** Asks the role `storage`. Without an answer the watch of streams raises an alarm. */
export function storageClient(bus: Bus): Trimming {
  return {
    async ask(need) {
      try {
        await bus.request(storageSubject, encodeLaneNeed(need), answerWithinMs);
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
      }
    },
  };
}
