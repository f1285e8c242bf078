import { toHex } from '../../lib/bytes.ts';
import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import type { Clock, Follower, Log } from '../../ports.ts';
import { StoreError } from '../base/errors.ts';
import type { LanePosition } from '../base/lane-batch.ts';
import { reportingLimits } from '../base/limits.ts';
import type { LaneBooks } from '../books/lane-books.ts';
import { LaneFacts } from '../project/facts.ts';
import { firstBatch } from '../project/first-batch.ts';
import { type LaneStore, LaneWriter, type WrittenBatch } from './lane-writer.ts';
import { type PairLog, readPairs } from './message-pairs.ts';
import type { SpareTime } from './spare-time.ts';
import { alarmOfTrouble, type Trouble, troubleOf } from './trouble.ts';

/** A server that was elected just now may not know its whole stream yet. */
const lostEndAttempts = 10;
const retryAfterMs = 500;

export interface BookkeeperPorts {
  readonly log: Pick<Log, 'lastCommand'> & PairLog;
  readonly clock: Clock;
  readonly turn: LoopTurn;
  readonly spareTime: Pick<SpareTime, 'isThere'>;
  readonly givesWayMs: number;
  readonly systemId: string;
  readonly store: LaneStore;
  /** The lane at a position; null: where its books can begin. */
  readonly open: (lane: number, position: LanePosition | null) => Promise<LaneBooks>;
  readonly written: (batch: WrittenBatch) => void;
  /** What keeps the books of the lane from going on; null: nothing does. */
  readonly trouble: (lane: number, trouble: Trouble | null) => void;
}

/** Keeps the books of a lane, through outages of the log and of the database, until it is stopped. */
export class Bookkeeper {
  readonly #lane: number;
  readonly #ports: BookkeeperPorts;
  readonly #pauses: WakeablePauses;
  readonly #facts = new LaneFacts();
  readonly #ended: Promise<void>;
  #position: LanePosition | null = null;
  #follower: Follower | null = null;
  #writer: LaneWriter | null = null;
  #trouble: Trouble | null = null;
  #isStopped = false;

  constructor(lane: number, ports: BookkeeperPorts) {
    this.#lane = lane;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(ports.clock);
    this.#ended = this.#repeat();
    this.#ended.catch(crash);
  }

  /** The last message whose rows are written, as far as it is known. */
  get position(): LanePosition | null {
    return this.#writer?.position ?? this.#position;
  }

  /** Gives the lane up. What is not written yet, the next process computes again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pauses.wake();
    this.#writer?.stop();
    await this.#follower?.stop();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    let pauseMs: number = reportingLimits.minPauseMs;
    while (!this.#isStopped) {
      const before = this.position?.sequence;
      const trouble = await this.#run().then(() => null, troubleOf);
      if (this.#isStopped) return;
      if (trouble !== null) this.#found(trouble);
      if (this.position?.sequence !== before) pauseMs = reportingLimits.minPauseMs;
      const isFault = trouble !== null && alarmOfTrouble(trouble) !== null;
      await this.#pauses.pause(isFault ? reportingLimits.faultPauseMs : pauseMs);
      pauseMs = Math.min(2 * pauseMs, reportingLimits.maxPauseMs);
    }
  }

  /** From the stored position on, until something breaks. */
  async #run(): Promise<void> {
    const { store, open, written } = this.#ports;
    this.#position = await store.position(this.#lane);
    if (this.#position !== null) await this.#requireSameLog(this.#position);
    const books = await open(this.#lane, this.#position);
    if (this.#isStopped) return;
    if (this.#position === null && books.sequence > 0) this.#position = await this.#begin(books);
    const writer = new LaneWriter(this.#lane, this.#position, {
      ...this.#ports,
      facts: this.#facts,
      written: (batch) => {
        this.#found(null);
        written(batch);
      },
      unanswered: (error) => this.#found(troubleOf(error)),
    });
    this.#writer = writer;
    // A fault is over once something was written behind it.
    if (this.#trouble !== null && alarmOfTrouble(this.#trouble) === null) this.#found(null);
    const follower = readPairs(this.#ports, this.#lane, books.sequence + 1, (command, outcome) =>
      writer.take(books.apply(command, outcome)),
    );
    this.#follower = follower;
    try {
      if (!this.#isStopped) await Promise.race([follower.done, writer.done]);
    } finally {
      writer.stop();
      await follower.stop();
      this.#position = writer.position;
      this.#writer = null;
    }
  }

  /** Everything that is there where the books begin. */
  async #begin(books: LaneBooks): Promise<LanePosition> {
    const { store, systemId } = this.#ports;
    const { sequence, timestampMs, head } = books;
    const position = { lane: this.#lane, sequence, timestampMs, head: toHex(head), systemId };
    await store.write(firstBatch(position, books));
    return position;
  }

  #found(trouble: Trouble | null): void {
    if (trouble === null && this.#trouble === null) return;
    this.#trouble = trouble;
    this.#ports.trouble(this.#lane, trouble);
  }

  async #requireSameLog({ sequence, systemId }: LanePosition): Promise<void> {
    const { log } = this.#ports;
    if (systemId !== this.#ports.systemId)
      throw new StoreError(
        'reporting_other_system',
        `The books of lane ${this.#lane} are those of the system ${systemId}.`,
      );
    let last = await log.lastCommand(this.#lane);
    for (let attempt = 1; last < sequence && attempt < lostEndAttempts && !this.#isStopped; attempt += 1) {
      await this.#pauses.pause(retryAfterMs);
      last = await log.lastCommand(this.#lane);
    }
    if (last < sequence)
      throw new StoreError(
        'reporting_ahead',
        `The books of lane ${this.#lane} go to message ${sequence}, but the log ends at ${last}.`,
      );
  }
}
