import { PacedBytes } from '../lib/pauses.ts';
import type { ArchiveLimits } from '../log/archive/limits.ts';
import type { SegmentIndex } from '../log/archive/segment-index.ts';
import { archivedSnapshots } from '../log/archive/snapshot-names.ts';
import { errorText } from '../log/base/error-text.ts';
import type { LaneNeed } from '../log/lanes/storage-question.ts';
import { type Clock, type LaneTrimmer, type Log, LogError, type StreamExtent } from '../ports.ts';
import { ArchiveCheck, ArchiveDiffers } from './archive-check.ts';
import { LaneFill } from './lane-fill.ts';
import type { StorageMonitor } from './ports.ts';
import { alarmFrom, reportPushedOut } from './pushed-out.ts';
import { trimTarget } from './trim-target.ts';

export interface LaneStreamsPorts {
  /** On a connection of its own; without the archive in front. */
  readonly log: Log;
  readonly trimmer: LaneTrimmer;
  readonly index: SegmentIndex;
  readonly clock: Clock;
  readonly monitor: StorageMonitor;
}

/** Ages are ignored while something is not archived that has reached this part of max_age. */
const keepFrom = 0.8;
const alarmRepeatMs = 3_600_000;

/**
 * Trims the streams of one lane up to its archive, and suspends their ages while the archive is behind
 * (docs/decisions/0332). Before anything leaves, it checks itself that the archive and a snapshot have it.
 */
export class LaneStreams {
  readonly #lane: number;
  readonly #ports: LaneStreamsPorts;
  readonly #limits: ArchiveLimits;
  readonly #check: ArchiveCheck;
  #alarmedAtMs = Number.NEGATIVE_INFINITY;
  #isPressed = false;
  readonly #pace: PacedBytes;
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(lane: number, ports: LaneStreamsPorts, limits: ArchiveLimits) {
    this.#lane = lane;
    this.#ports = ports;
    this.#limits = limits;
    this.#pace = new PacedBytes(ports.clock);
    const worked = (bytes: number) => this.#worked(bytes);
    this.#check = new ArchiveCheck(lane, { log: ports.log, index: ports.index, worked });
  }

  /** The last message that was found in the archive as the streams had it; 0: none yet. */
  get checkedTo(): number {
    return this.#check.checkedTo;
  }

  /** As the lane's owner asks; ignores questions while it works. Rejects only for a bug. */
  asked(need: LaneNeed): Promise<void> {
    this.#working ??= this.#guarded(need).finally(() => {
      this.#working = null;
    });
    return this.#working;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #guarded(need: LaneNeed): Promise<void> {
    try {
      await this.#round(need);
      this.#alarmedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      // An outage has its own alarms.
      if (this.#stopped || error.retryable) return;
      const nowMs = this.#ports.clock.elapsedMs();
      if (nowMs - this.#alarmedAtMs < alarmRepeatMs) return;
      this.#alarmedAtMs = nowMs;
      const code = error instanceof ArchiveDiffers ? 'archive_differs' : 'log_not_trimmed';
      this.#ports.monitor.alarm(
        this.#lane,
        code,
        `The streams are not trimmed, and fill: ${errorText(error)}`,
      );
    }
  }

  async #round({ keepFrom: firstNeeded, isPressed }: LaneNeed): Promise<void> {
    this.#isPressed = isPressed;
    await this.#ports.index.open();
    const { commands, outcomes } = await this.#ports.log.extents(this.#lane);
    await this.#judgeAges(commands, outcomes);
    await this.#trim(commands, outcomes, firstNeeded);
  }

  async #trim(commands: StreamExtent, outcomes: StreamExtent, firstNeeded: number): Promise<void> {
    const { clock, index, log, monitor, trimmer } = this.#ports;
    const { keepMs, pressedKeepRatio, spareMs, spareMessages } = this.#limits;
    const lane = this.#lane;
    const archivedTo = index.lastSequence(lane);
    if (archivedTo === 0) return;
    const fill = new LaneFill(await log.fill(lane), commands, outcomes);
    const youngMs = this.#isPressed ? spareMs : keepMs;
    const firstYoung = await this.#firstSince(commands, clock.nowMs() - youngMs);
    const recent = this.#isPressed ? commands.lastSequence + 1 - firstYoung : 0;
    const spare = fill.spare(Math.max(spareMessages, recent));
    const snapshots = await archivedSnapshots(await log.archive('SNAPSHOTS'), lane);
    const target = trimTarget(
      {
        archivedTo,
        snapshots: snapshots.map(({ sequence }) => sequence),
        firstYoung,
        firstUnrevealed: firstNeeded,
        surplusTo: fill.surplusTo(pressedKeepRatio) + spare,
      },
      this.#isPressed,
    );
    if (target < commands.firstSequence && target < outcomes.firstSequence) return;
    await this.#check.advance(firstOf(commands, outcomes), target);
    const pushedOut = await trimmer.trim(lane, Math.min(target, this.#check.checkedTo), spare);
    reportPushedOut(monitor, lane, pushedOut, alarmFrom(spare));
  }

  /** The first message of the stream that is not older; by halves, since times never fall. */
  async #firstSince(commands: StreamExtent, timeMs: number): Promise<number> {
    const { log } = this.#ports;
    let [low, high] = [commands.firstSequence, commands.lastSequence + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const command = await log.readCommand(this.#lane, middle);
      if (command !== null && command.timestampMs >= timeMs) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** What was not found in the archive must not leave by its age. */
  async #judgeAges(commands: StreamExtent, outcomes: StreamExtent): Promise<void> {
    const { index, trimmer } = this.#ports;
    const { archiveAfterMs, partialAfterMs } = this.#limits;
    const isSuspended = commands.maxAgeMs === 0;
    const limitMs = isSuspended ? 2 * (archiveAfterMs + partialAfterMs) : commands.maxAgeMs * keepFrom;
    const isBehind = async (): Promise<boolean> => (await this.#behindMs(commands)) > limitMs;
    if (await isBehind()) {
      try {
        await this.#check.advance(firstOf(commands, outcomes), index.lastSequence(this.#lane));
      } finally {
        const wasBehind = await isBehind();
        if (wasBehind && !isSuspended) await trimmer.keepAged(this.#lane, true);
      }
    }
    if (isSuspended && !(await isBehind())) await trimmer.keepAged(this.#lane, false);
  }

  async #behindMs(commands: StreamExtent): Promise<number> {
    const { clock, log } = this.#ports;
    const first = Math.max(this.#check.checkedTo + 1, commands.firstSequence);
    if (first > commands.lastSequence) return 0;
    const command = await log.readCommand(this.#lane, first);
    return command === null ? 0 : Math.max(0, clock.nowMs() - command.timestampMs);
  }

  async #worked(bytes: number): Promise<void> {
    if (this.#stopped) throw new LogError('stopped', 'The trimming was stopped.');
    const { bytesPerSecond, pressedBytesPerSecond } = this.#limits;
    await this.#pace.worked(bytes, this.#isPressed ? pressedBytesPerSecond : bytesPerSecond);
  }
}

function firstOf(commands: StreamExtent, outcomes: StreamExtent): number {
  return Math.max(commands.firstSequence, outcomes.firstSequence);
}
