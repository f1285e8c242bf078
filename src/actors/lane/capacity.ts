import { byteText } from '../../lib/byte-text.ts';
import { commandStream } from '../../log/base/names.ts';
import type { LaneCondition } from '../../messages/bus-messages.ts';
import { type Log, LogError, type StreamFill } from '../../ports.ts';
import type { ActorPorts, ActorSettings } from '../ports/actor-ports.ts';

const pollIntervalMs = 15_000;
/** While contributions are refused, or soon will be: new room must be noticed quickly. */
const urgentPollIntervalMs = 1_000;
/** A stored message is larger than its payload by its subject, its headers and the stream's own words. */
const messageOverheadBytes = 128;
/** Contributions are taken again when the room is this much larger than the reserve: no flapping. */
const resumeFactor = 1.05;

type CapacityPorts = Pick<ActorPorts, 'clock' | 'monitor'> & {
  readonly log: Pick<Log, 'fill'>;
  readonly failed: (error: unknown) => void;
};

interface PendingRecords {
  readonly pendingBytes: number;
  readonly pendingRecords: number;
}

/** The part of a stream that may still be filled, as it was last read. */
interface FillReading {
  readonly stream: string;
  readonly maxBytes: number;
  readonly bytes: number;
  /** What had been added to it by then, in the measure of `#added`. */
  readonly added: number;
}

/**
 * Whether a lane has room for contributions. Ownership, timers, reveals and settlements need room in the same
 * streams, so a part of each is reserved: the owner counts what it stores and reports `full` as soon as less
 * than that is left (docs/decisions/0058).
 */
export class StreamCapacity {
  readonly #lane: number;
  readonly #ports: CapacityPorts;
  readonly #settings: Pick<ActorSettings, 'reserveRatio'>;
  readonly #pending: () => PendingRecords;
  readonly #onChange: () => void;
  readonly #added = { commands: 0, outcomes: 0 };
  /** Streams that refused a message, since then. */
  readonly #refusing = new Set<string>();
  #readings: readonly FillReading[] = [];
  /** The stream that has no room; '' while there is. */
  #full = '';
  #cancel: () => void = () => {};
  #active = false;
  #reading = false;
  #looksOften = false;

  /** `onChange`: what `condition` says is another. */
  constructor(
    lane: number,
    ports: CapacityPorts,
    settings: Pick<ActorSettings, 'reserveRatio'>,
    pending: () => PendingRecords,
    onChange: () => void,
  ) {
    this.#lane = lane;
    this.#ports = ports;
    this.#settings = settings;
    this.#pending = pending;
    this.#onChange = onChange;
  }

  get condition(): { readonly condition: LaneCondition; readonly code: string } {
    return { condition: this.#full === '' ? 'serving' : 'full', code: this.#full };
  }

  /** Resolves after the first reading: from then on `condition` is what the streams say. */
  start(): Promise<void> {
    this.#active = true;
    return this.#read();
  }

  stop(): void {
    this.#active = false;
    this.#cancel();
  }

  /** A message was applied, and its record is to be stored. */
  took(commandBytes: number, recordBytes: number): void {
    this.#added.commands += commandBytes + messageOverheadBytes;
    this.#added.outcomes += recordBytes + messageOverheadBytes;
    if (this.#full !== '') return;
    this.#judge();
    if (this.#looksOften || !this.#isNarrow()) return;
    this.#looksOften = true;
    this.#readAfter(0);
  }

  /** A stream refuses what is to be stored (true), or takes it again: the lane holds meanwhile. */
  refused(stream: string, refused: boolean): void {
    if (this.#refusing.has(stream) === refused) return;
    if (refused) {
      this.#refusing.add(stream);
      const holds = `${stream} takes nothing more: the lane holds until it has room. Raise its max_bytes.`;
      this.#ports.monitor.alarm(this.#lane, 'stream_full', holds);
    } else {
      this.#refusing.delete(stream);
      this.#ports.monitor.notice(this.#lane, `${stream} accepts messages again.`);
    }
    this.#judge();
  }

  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    // Messages stored while the answer is on its way count twice rather than not at all.
    const { commands, outcomes } = this.#added;
    const { pendingBytes, pendingRecords } = this.#pending();
    const recorded = outcomes - pendingBytes - pendingRecords * messageOverheadBytes;
    try {
      const fills = await this.#ports.log.fill(this.#lane);
      const added = (stream: string): number => (stream === commandStream(this.#lane) ? commands : recorded);
      this.#readings = fills
        .filter(({ maxBytes }) => maxBytes > 0)
        .map(({ stream, bytes, maxBytes }: StreamFill) => ({
          stream,
          bytes,
          maxBytes,
          added: added(stream),
        }));
      this.#judge();
    } catch (error) {
      // An outage has its own alarms; what was seen last, and what was added since, stays.
      if (!(error instanceof LogError)) throw error;
    }
    this.#reading = false;
    this.#looksOften = this.#full !== '' || this.#isNarrow();
    this.#readAfter(this.#looksOften ? urgentPollIntervalMs : pollIntervalMs);
  }

  /** By the count of what was stored since: what was trimmed meanwhile, only a reading shows. */
  #isNarrow(): boolean {
    for (const read of this.#readings) {
      if (this.#freeBytes(read) < 2 * this.#reserve(read)) return true;
    }
    return false;
  }

  #readAfter(delayMs: number): void {
    this.#cancel();
    if (this.#active)
      this.#cancel = this.#ports.clock.after(delayMs, () => void this.#read().catch(this.#ports.failed));
  }

  #judge(): void {
    const before = this.#full;
    const [refusing = ''] = this.#refusing;
    this.#full = refusing === '' ? this.#short() : refusing;
    if (this.#full === before) return;
    if (before === '') this.#beginToRefuse();
    else if (this.#full === '')
      this.#ports.monitor.notice(this.#lane, 'The lane accepts contributions again.');
    this.#onChange();
  }

  #short(): string {
    const factor = this.#full === '' ? 1 : resumeFactor;
    for (const read of this.#readings) {
      if (this.#freeBytes(read) < factor * this.#reserve(read)) return read.stream;
    }
    return '';
  }

  #beginToRefuse(): void {
    this.#readAfter(urgentPollIntervalMs);
    const read = this.#readings.find(({ stream }) => stream === this.#full);
    if (read === undefined || this.#refusing.has(this.#full)) return;
    this.#ports.monitor.alarm(
      this.#lane,
      'lane_full',
      `${read.stream} has ${byteText(Math.max(0, this.#freeBytes(read)))} left, reserved for ownership, timers, reveals and ` +
        'settlements. Contributions are refused. Raise its max_bytes.',
    );
  }

  #freeBytes({ stream, maxBytes, bytes, added }: FillReading): number {
    const { commands, outcomes } = this.#added;
    return maxBytes - bytes - ((stream === commandStream(this.#lane) ? commands : outcomes) - added);
  }

  #reserve({ maxBytes }: FillReading): number {
    return maxBytes * this.#settings.reserveRatio;
  }
}
