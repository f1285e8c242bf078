import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';
import { StoreError } from '../base/errors.ts';
import type { LanePosition } from '../base/lane-batch.ts';
import { reportingLimits } from '../base/limits.ts';
import type { SpareTime } from '../lane/spare-time.ts';
import { hourMs } from './warehouse.ts';

export interface LaneFilesPorts {
  readonly clock: Clock;
  readonly spareTime: Pick<SpareTime, 'isThere'>;
  readonly givesWayMs: number;
  /** As `writeClosedHours`, with a connection of its own. */
  readonly writeHours: (lane: number, goesOn: () => Promise<boolean>) => Promise<boolean>;
}

/** Writes the closed hours of a lane until it is stopped. The books do not wait for it. */
export class LaneFiles {
  readonly #lane: number;
  readonly #ports: LaneFilesPorts;
  readonly #position: () => LanePosition | null;
  readonly #pauses: WakeablePauses;
  readonly #ended: Promise<void>;
  /** Hours before it are written. */
  #writtenTo = 0;
  #currentMs: number;
  #fault: unknown = null;
  #isStopped = false;

  constructor(lane: number, position: () => LanePosition | null, ports: LaneFilesPorts) {
    this.#lane = lane;
    this.#position = position;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(ports.clock);
    this.#currentMs = ports.clock.elapsedMs();
    this.#ended = this.#repeat();
    this.#ended.catch(crash);
  }

  /** Why the last attempt failed, where a person has to do something; null: it did not. */
  get fault(): unknown {
    return this.#fault;
  }

  /** How long there have been closed hours that are not written. */
  get lagMs(): number {
    return this.#ports.clock.elapsedMs() - this.#currentMs;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pauses.wake();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    while (!this.#isStopped) {
      await this.#writeDue();
      // A role that was started again writes what is due once it knows how far the books are.
      const everyMs =
        this.#position() === null ? reportingLimits.readQuietEveryMs : reportingLimits.filesEveryMs;
      if (!this.#isStopped) await this.#pauses.pause(everyMs);
    }
  }

  async #writeDue(): Promise<void> {
    const { clock, writeHours } = this.#ports;
    const closedTo = Math.floor((this.#position()?.timestampMs ?? 0) / hourMs);
    try {
      const isDue = closedTo > this.#writtenTo;
      if (isDue && !(await writeHours(this.#lane, () => this.#goesOn()))) return;
      this.#writtenTo = closedTo;
      this.#currentMs = clock.elapsedMs();
      this.#fault = null;
    } catch (error) {
      // What the database has is told by the lane.
      if (!(error instanceof StoreError)) this.#fault = error;
    }
  }

  /** While contributions need the whole machine, it waits, as the books do. */
  async #goesOn(): Promise<boolean> {
    const { clock, spareTime, givesWayMs } = this.#ports;
    const sinceMs = clock.elapsedMs();
    while (!this.#isStopped && !spareTime.isThere && clock.elapsedMs() - sinceMs < givesWayMs)
      await this.#pauses.pause(reportingLimits.readEveryMs);
    return !this.#isStopped;
  }
}
