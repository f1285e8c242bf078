import { crash } from '../../lib/crash.ts';
import { pause } from '../../lib/pause.ts';
import type { SegmentIndex } from '../../log/archive/segment-index.ts';
import { errorText } from '../../log/error-text.ts';
import { type Clock, type LaneTrimmer, type Log, LogError, type StreamExtent } from '../../ports.ts';
import type { LaneMonitor } from '../ports.ts';
import { archivedSnapshots } from '../snapshots/archive.ts';
import { type Due, LaneArchiver } from './lane-archiver.ts';
import { LaneFill } from './lane-fill.ts';
import type { ArchiveLimits } from './limits.ts';
import { reportPushedOut, StreamWidener } from './stream-widener.ts';
import { trimTarget } from './trim-target.ts';

/** What is known of the archive of a lane that this host owns. */
export interface LaneArchive {
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
  readonly trimmer: LaneTrimmer;
  readonly index: SegmentIndex;
  readonly clock: Clock;
  readonly monitor: LaneMonitor;
  /** Whether this host owns the lane: one host archives it. */
  owns(lane: number): boolean;
  /** Whether the lane refuses contributions for want of room. */
  isFull(lane: number): boolean;
  /** The first message of an epoch that is not revealed; infinite: there is none. */
  firstUnrevealed(lane: number): number;
  /** Recovery must not need what leaves: keep the state of now. */
  requestSnapshot(lane: number): void;
}

/** About a millisecond of work; then the lanes have the core. */
const bytesPerSlice = 64 * 1024;
/** Ages are ignored while something is not archived that has reached this part of max_age. */
const keepFrom = 0.8;
const alarmRepeatMs = 3_600_000;
/** Once so much of the spare was pushed out, a person must look. */
const alarmFromSpareRatio = 0.25;

/**
 * Archives the log of the lanes that this host owns, and trims their streams behind that (docs/decisions/0332): what
 * leaves a stream is in the archive, and no recovery needs it.
 */
export class Archiver {
  readonly #ports: ArchiverPorts;
  readonly #lanes: number;
  readonly #limits: ArchiveLimits;
  readonly #archivers: readonly LaneArchiver[];
  readonly #widener: StreamWidener;
  readonly #known = new Map<number, LaneArchive>();
  readonly #alarmedAtMs = new Map<number, number>();
  /** Lanes that are short of room, and when a snapshot was requested for that. */
  readonly #pressed = new Map<number, number>();
  #bytes = 0;
  #working: Promise<void> | null = null;
  #cancel: () => void = () => {};
  #cancelWatch: () => void = () => {};
  #stopped = false;

  constructor(ports: ArchiverPorts, lanes: number, limits: ArchiveLimits) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#limits = limits;
    this.#widener = new StreamWidener(ports, lanes, alarmFrom(limits.spareMessages));
    this.#archivers = Array.from({ length: lanes }, (_, lane) => {
      const worked = (bytes: number) => this.#worked(lane, bytes);
      return new LaneArchiver(lane, { log: ports.log, index: ports.index, limits, worked });
    });
  }

  start(): void {
    this.#widener.start();
    this.#passSoon();
    this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#cancelWatch();
    await Promise.all([this.#working, this.#widener.stop()]);
  }

  /** Of the lanes that this host owns. */
  archives(): readonly LaneArchive[] {
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

  /** A lane whose log cannot be archived keeps it, and the others are archived. */
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

  /** Archives what is due of a lane, and trims its streams. */
  async round(lane: number): Promise<void> {
    const { clock, index } = this.#ports;
    await this.#judgePressure(lane);
    const archiver = this.#archivers[lane] as LaneArchiver;
    for (;;) {
      if (this.#stopped || !this.#ports.owns(lane) || !(await archiver.next(this.#due(lane)))) break;
    }
    if (this.#stopped || !this.#ports.owns(lane)) return;
    const { commands, outcomes } = await this.#ports.log.extents(lane);
    const behindMs = await this.#behindMs(lane, commands);
    await this.#keepAged(lane, commands, behindMs);
    await this.#trim(lane, commands, outcomes);
    const { archiveMs } = this.#limits;
    if (archiveMs !== null) await archiver.removeOld(clock.nowMs() - archiveMs);
    const { firstSequence: firstKept } = (await this.#ports.log.extents(lane)).commands;
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

  async #trim(lane: number, commands: StreamExtent, outcomes: StreamExtent): Promise<void> {
    const { clock, index, log, monitor, trimmer } = this.#ports;
    const { keepMs, pressedKeepRatio, spareMs, spareMessages } = this.#limits;
    const archivedTo = index.lastSequence(lane);
    if (archivedTo === 0) return;
    const isPressed = this.#pressed.has(lane);
    const fill = new LaneFill(await log.fill(lane), commands, outcomes);
    const youngMs = isPressed ? spareMs : keepMs;
    const firstYoung = await this.#firstSince(lane, commands, clock.nowMs() - youngMs);
    const recent = isPressed ? commands.lastSequence + 1 - firstYoung : 0;
    const spare = fill.spare(Math.max(spareMessages, recent));
    const snapshots = await archivedSnapshots(await log.archive('SNAPSHOTS'), lane);
    const target = trimTarget(
      {
        archivedTo,
        snapshots: snapshots.map(({ sequence }) => sequence),
        firstYoung,
        firstUnrevealed: this.#ports.firstUnrevealed(lane),
        surplusTo: fill.surplusTo(pressedKeepRatio) + spare,
      },
      isPressed,
    );
    if (target > 0) reportPushedOut(monitor, lane, await trimmer.trim(lane, target, spare), alarmFrom(spare));
  }

  /** The first message of the stream that is not older; by halves, since times never fall. */
  async #firstSince(lane: number, commands: StreamExtent, timeMs: number): Promise<number> {
    const { log } = this.#ports;
    let [low, high] = [commands.firstSequence, commands.lastSequence + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const command = await log.readCommand(lane, middle);
      if (command !== null && command.timestampMs >= timeMs) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** What is not archived must not leave by its age. */
  async #keepAged(lane: number, commands: StreamExtent, behindMs: number): Promise<void> {
    const { trimmer } = this.#ports;
    const { archiveAfterMs, partialAfterMs } = this.#limits;
    const maxAgeMs = commands.maxAgeMs > 0 ? commands.maxAgeMs : null;
    if (maxAgeMs !== null && behindMs > maxAgeMs * keepFrom) await trimmer.keepAged(lane, true);
    else if (maxAgeMs === null && behindMs < 2 * (archiveAfterMs + partialAfterMs))
      await trimmer.keepAged(lane, false);
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
    this.#bytes += bytes;
    if (this.#bytes < bytesPerSlice) return;
    const { bytesPerSecond, pressedBytesPerSecond } = this.#limits;
    const speed = this.#pressed.has(lane) ? pressedBytesPerSecond : bytesPerSecond;
    const pauseMs = Math.ceil((this.#bytes * 1000) / speed);
    this.#bytes = 0;
    await pause(this.#ports.clock, pauseMs);
  }
}

function alarmFrom(spare: number): number {
  return Math.max(1, spare * alarmFromSpareRatio);
}
