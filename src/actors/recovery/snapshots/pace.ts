import { pause } from '../../../lib/pauses.ts';
import type { Clock } from '../../../ports.ts';
import type { ActorSettings } from '../../ports/actor-ports.ts';

/** Never more slowly, however little happens. */
const bytesPerSecond = 12 * 1024 * 1024;
/** A snapshot should be done when this part of the next one's worth of work has come. */
const doneAtPart = 0.3;
/** Bytes written without a look at the pace. */
const stepBytes = 512 * 1024;
const waitMs = 5;

interface PacePorts {
  readonly clock: Clock;
  /** Size of the snapshot before; null: not known, and nothing is held back. */
  readonly expectedBytes: number | null;
  /** What came since the snapshot was begun, in the parts of a snapshot's worth. */
  workPart(): number;
  isHurried(): boolean;
}

/**
 * Spreads the writing of a snapshot over a part of the time until the next one: at full speed it takes a
 * third of a core, and callers would wait for that. The more work comes, the sooner it is done
 * (docs/decisions/0074).
 */
export class SnapshotPace {
  readonly #ports: PacePorts;
  readonly #beganMs: number;
  #bytes = 0;
  #waitedMs = 0;

  constructor(ports: PacePorts) {
    this.#ports = ports;
    this.#beganMs = ports.clock.elapsedMs();
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Time in which nothing was written because it was early, in milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  async write(bytes: Uint8Array, write: (part: Uint8Array) => Promise<void>): Promise<void> {
    for (let at = 0; at < bytes.length; at += stepBytes) {
      const part = bytes.subarray(at, at + stepBytes);
      await write(part);
      this.#bytes += part.length;
      await this.#early();
    }
  }

  async #early(): Promise<void> {
    const { clock } = this.#ports;
    const fromMs = clock.elapsedMs();
    while (this.#isEarly()) await pause(clock, waitMs);
    this.#waitedMs += clock.elapsedMs() - fromMs;
  }

  #isEarly(): boolean {
    const { clock, expectedBytes, isHurried, workPart } = this.#ports;
    if (expectedBytes === null || isHurried()) return false;
    const byTime = (bytesPerSecond * (clock.elapsedMs() - this.#beganMs)) / 1000;
    return this.#bytes > Math.max(byTime, (expectedBytes * workPart()) / doneAtPart);
  }
}

/** To read, check and decode a message again takes about this much more than to apply it. */
const readingFactor = 1.4;

type WorkLimits = Pick<
  ActorSettings,
  'snapshotEveryMessages' | 'snapshotEveryCommands' | 'snapshotEveryBytes' | 'snapshotEveryReplaySeconds'
>;

/** What a replay would have to do since the last snapshot, measured by what a snapshot is due for. */
export class ReplayWork {
  messages = 0;
  #commands = 0;
  #bytes = 0;
  #seconds = 0;

  add(commands: number, bytes: number, seconds: number): void {
    this.messages += 1;
    this.#commands += commands;
    this.#bytes += bytes;
    this.#seconds += seconds;
  }

  /** Takes the work of another one over. */
  join(other: ReplayWork): void {
    this.messages += other.messages;
    this.#commands += other.#commands;
    this.#bytes += other.#bytes;
    this.#seconds += other.#seconds;
  }

  /** How much of what a snapshot is due for it is: 1 is a snapshot's worth. */
  part(limits: WorkLimits): number {
    return Math.max(
      this.messages / limits.snapshotEveryMessages,
      this.#commands / limits.snapshotEveryCommands,
      this.#bytes / limits.snapshotEveryBytes,
      (this.#seconds * readingFactor) / limits.snapshotEveryReplaySeconds,
    );
  }
}
