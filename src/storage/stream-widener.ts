import { crash } from '../lib/crash.ts';
import { type Clock, type LaneTrimmer, LogError } from '../ports.ts';
import type { StorageMonitor } from './ports.ts';
import { reportPushedOut } from './pushed-out.ts';

/** A step takes milliseconds: the process that began it this long ago has ended or is stopped. */
const stuckMs = 10_000;
const retryMs = 250;

interface StreamWidenerPorts {
  readonly trimmer: Pick<LaneTrimmer, 'widen'>;
  readonly clock: Clock;
  readonly monitor: StorageMonitor;
}

/**
 * Ends steps of trimming that another process began and did not end: at once when this one takes over, and
 * now and then (docs/decisions/0332).
 */
export class StreamWidener {
  readonly #ports: StreamWidenerPorts;
  readonly #alarmFrom: number;
  /** Not looked at since this process took over. */
  readonly #taken: Set<number>;
  readonly #lanes: readonly number[];
  #working: Promise<void> | null = null;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(ports: StreamWidenerPorts, lanes: readonly number[], alarmFrom: number) {
    this.#ports = ports;
    this.#lanes = lanes;
    this.#alarmFrom = alarmFrom;
    this.#taken = new Set(lanes);
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
    for (const lane of this.#lanes) {
      const isTaken = this.#taken.has(lane);
      if ((await this.#isLookedAt(lane, isTaken ? 0 : stuckMs)) && isTaken) this.#taken.delete(lane);
    }
    const nextMs = this.#taken.size > 0 ? retryMs : stuckMs;
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(nextMs, () => this.start());
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
      // What is not retryable is an alarm of trimming.
      return !error.retryable;
    }
  }
}
