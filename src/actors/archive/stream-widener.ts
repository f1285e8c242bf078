import { crash } from '../../lib/crash.ts';
import { type Clock, type LaneTrimmer, LogError } from '../../ports.ts';
import type { LaneMonitor } from '../ports.ts';

/** A lane that this host has just taken over is looked at so soon. */
const tickMs = 250;
/** Every lane is looked at once in so many ticks. */
const ticksPerRound = 40;
/** A step takes milliseconds: the host that began it so long ago has ended or is stopped. */
const stuckMs = tickMs * ticksPerRound;

export interface StreamWidenerPorts {
  readonly trimmer: LaneTrimmer;
  readonly clock: Clock;
  readonly monitor: LaneMonitor;
  owns(lane: number): boolean;
}

/**
 * Ends steps of trimming that another host began and did not end: at once where this host takes over a lane, and on every host
 * for every lane now and then (docs/decisions/0332).
 */
export class StreamWidener {
  readonly #ports: StreamWidenerPorts;
  readonly #lanes: number;
  readonly #alarmFrom: number;
  readonly #owned = new Set<number>();
  /** Taken over, and not looked at yet. */
  readonly #taken = new Set<number>();
  #tick = 0;
  #working: Promise<void> | null = null;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(ports: StreamWidenerPorts, lanes: number, alarmFrom: number) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#alarmFrom = alarmFrom;
  }

  start(): void {
    this.#working = this.#pass().catch(crash);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }

  async #pass(): Promise<void> {
    this.#noteOwned();
    for (const lane of this.#taken) if (await this.#isLookedAt(lane, 0)) this.#taken.delete(lane);
    for (let lane = this.#tick % ticksPerRound; lane < this.#lanes; lane += ticksPerRound)
      await this.#isLookedAt(lane, stuckMs);
    this.#tick += 1;
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(tickMs, () => this.start());
  }

  #noteOwned(): void {
    for (let lane = 0; lane < this.#lanes; lane += 1) {
      if (!this.#ports.owns(lane)) this.#owned.delete(lane);
      else if (!this.#owned.has(lane)) {
        this.#owned.add(lane);
        this.#taken.add(lane);
      }
    }
  }

  /** false: the log cannot be reached at present. */
  async #isLookedAt(lane: number, begunBeforeMs: number): Promise<boolean> {
    const { trimmer, monitor } = this.#ports;
    if (this.#stopped) return false;
    try {
      reportPushedOut(monitor, lane, await trimmer.widen(lane, begunBeforeMs), this.#alarmFrom);
      return true;
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      // What is not retryable is an alarm of the archiver.
      return !error.retryable;
    }
  }
}

/** Messages that arrive during a step push out others: a few of those that are kept in reserve for that. */
export function reportPushedOut(
  monitor: LaneMonitor,
  lane: number,
  pushedOut: number,
  alarmFrom: number,
): void {
  if (pushedOut < alarmFrom) return;
  monitor.alarm(
    lane,
    'stream_trimmed_too_far',
    `${pushedOut} more messages than planned left a stream, because a host or the network stopped while it was trimmed.`,
  );
}
