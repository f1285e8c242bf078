import { WakeablePauses } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';
import type { BookedMessage } from '../base/booked-message.ts';
import { StoreError } from '../base/errors.ts';
import type { LaneBatch, LanePosition } from '../base/lane-batch.ts';
import { reportingLimits } from '../base/limits.ts';
import type { LaneFacts } from '../project/facts.ts';
import { Projection } from '../project/project.ts';

/** What the writer needs of the database. */
export interface LaneStore {
  position(lane: number): Promise<LanePosition | null>;
  write(batch: LaneBatch): Promise<void>;
}

export interface WrittenBatch {
  readonly lane: number;
  readonly rows: number;
  readonly tookMs: number;
}

interface WriterPorts {
  readonly clock: Clock;
  readonly store: LaneStore;
  readonly systemId: string;
  readonly facts: LaneFacts;
  readonly written: (batch: WrittenBatch) => void;
  /** The database does not answer; it is asked again. */
  readonly unanswered: (error: StoreError) => void;
}

/** Writes what messages bring, many in a transaction: the next batch is gathered while one is written. */
export class LaneWriter {
  /** Rejects when the lane cannot go on from here; resolves after `stop`. */
  readonly done: Promise<void>;
  readonly #lane: number;
  readonly #ports: WriterPorts;
  readonly #pauses: WakeablePauses;
  #position: LanePosition | null;
  #gathered: Projection;
  #isStopped = false;
  #wake: () => void = () => {};
  #makeRoom: () => void = () => {};

  constructor(lane: number, position: LanePosition | null, ports: WriterPorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(ports.clock);
    this.#position = position;
    this.#gathered = new Projection(ports.facts);
    this.done = this.#writeAll();
    this.done.catch(() => {});
  }

  /** The last message whose rows are written. */
  get position(): LanePosition | null {
    return this.#position;
  }

  /** Takes a message while its state is the lane's. A promise: so much waits that no more should come. */
  take(message: BookedMessage): Promise<void> | void {
    this.#gathered.add(message);
    this.#wake();
    if (!this.#gathered.isFull) return;
    this.#pauses.wake();
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  /** Nothing more is written but what is under way. */
  stop(): void {
    this.#isStopped = true;
    this.#pauses.wake();
    this.#wake();
    this.#makeRoom();
  }

  async #writeAll(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#gathered.isEmpty) await this.#anything();
      if (!this.#gathered.isFull) await this.#pauses.pause(reportingLimits.gatherMs);
      if (this.#isStopped) return;
      const projection = this.#gathered;
      this.#gathered = new Projection(this.#ports.facts);
      this.#makeRoom();
      await this.#write(projection);
    }
  }

  #anything(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Until the database has it: an outage of the database costs no replay. */
  async #write(projection: Projection): Promise<void> {
    const { clock, store, systemId, written, unanswered } = this.#ports;
    const batch = projection.batch(this.#position?.sequence ?? -1, systemId);
    let pauseMs: number = reportingLimits.minPauseMs;
    while (!this.#isStopped) {
      const beganMs = clock.elapsedMs();
      try {
        await this.#writeOnce(store, batch);
        this.#position = batch.position;
        written({ lane: this.#lane, rows: projection.rowCount, tookMs: clock.elapsedMs() - beganMs });
        return;
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'reporting_unavailable') throw error;
        unanswered(error);
      }
      await this.#pauses.pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, reportingLimits.maxPauseMs);
    }
  }

  /** A try whose answer was lost may have written it. */
  async #writeOnce(store: LaneStore, batch: LaneBatch): Promise<void> {
    try {
      await store.write(batch);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'reporting_fenced') throw error;
      const present = await store.position(this.#lane);
      const { sequence, head } = batch.position;
      if (present?.sequence !== sequence || present.head !== head) throw error;
    }
  }
}
