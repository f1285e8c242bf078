import { toHex } from '../../lib/bytes.ts';
import type { ArchiveLimits } from '../../log/archive/limits.ts';
import {
  type ArchivedMessage,
  encodeSegment,
  type LogSegment,
  type SegmentStart,
  segmentDigest,
} from '../../log/archive/segment.ts';
import { placeOfObject, type SegmentIndex, segmentObject } from '../../log/archive/segment-index.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { type Log, LogError } from '../../ports.ts';
import { firstLaneHead } from '../replica/replica.ts';

interface LaneArchiverPorts {
  /** On a connection of its own: the streams without their archive. */
  readonly log: Pick<Log, 'extents' | 'readCommands' | 'readOutcomes' | 'readOutcome'>;
  readonly index: SegmentIndex;
  readonly limits: ArchiveLimits;
  /** Paces the reading. @throws LogError `stopped` */
  readonly worked: (bytes: number) => Promise<void>;
  /** For tests that end a process at one of the steps. */
  readonly reached?: (step: ArchiveStep) => Promise<void>;
}

type ArchiveStep = 'encoded' | 'uploaded' | 'recorded';

/** What a message and its record take in the streams beside their bytes, about. */
const overheadBytes = 64;

/** Which messages are archived now. */
export interface Due {
  readonly nowMs: number;
  /** Messages so old are. */
  readonly ageMs: number;
  /** A segment that is not full is written once its first message is this much older. */
  readonly partialAgeMs: number;
}

/** What was too little for a segment is read again after this part of the age that makes it enough. */
const rereadPart = 1 / 6;

/** Moves the beginning of a lane's log into the archive, segment by segment. */
export class LaneArchiver {
  readonly #lane: number;
  readonly #ports: LaneArchiverPorts;
  #cleaned = false;
  /** Until then too little for a segment is due. */
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(lane: number, ports: LaneArchiverPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /**
   * Archives what is due and has its record, at most one segment. False: there is nothing left.
   * @throws LogError: `hole` or `corrupt` where the log cannot be archived
   */
  async next({ nowMs, ageMs, partialAgeMs }: Due): Promise<boolean> {
    if (nowMs < this.#restsUntilMs && nowMs + partialAgeMs * rereadPart >= this.#restsUntilMs) return false;
    const { index } = this.#ports;
    await index.open();
    await this.#removeLeftovers();
    const { commands, outcomes } = await this.#ports.log.extents(this.#lane);
    const archived = index.segments(this.#lane).at(-1);
    const from = Math.max((archived?.last ?? 0) + 1, commands.firstSequence, outcomes.firstSequence);
    const { messages, isFull } = await this.#read(from, outcomes.lastSequence, nowMs - ageMs);
    const firstMs = messages[0]?.command.timestampMs ?? nowMs;
    if (messages.length === 0 || (!isFull && firstMs > nowMs - ageMs - partialAgeMs)) {
      this.#restsUntilMs = nowMs + partialAgeMs * rereadPart;
      return false;
    }
    const start: SegmentStart = {
      headBefore: archived?.last === from - 1 ? archived.head : await this.#headAt(from - 1),
      previous: archived === undefined ? null : { last: archived.last, sha256: archived.sha256 },
    };
    await this.#store(await encodeSegment(this.#lane, messages, start));
    return true;
  }

  async removeOld(beforeMs: number): Promise<void> {
    const { index } = this.#ports;
    await index.open();
    for (const segment of [...index.segments(this.#lane)].slice(0, -1)) {
      if (segment.lastMs >= beforeMs) return;
      await index.remove(segment);
    }
  }

  /** A segment counts only after it was read back. */
  async #store(segment: LogSegment): Promise<void> {
    const { index, reached = async () => {} } = this.#ports;
    const store = await index.store();
    const object = segmentObject(segment);
    await reached('encoded');
    await store.put(object, segment.bytes);
    const stored = await store.get(object);
    if (stored === null || segmentDigest(stored) !== segment.sha256)
      throw new LogError('unavailable', `${object} was not stored as it was sent.`);
    await reached('uploaded');
    const isOurs = await index.record(segment, object);
    await reached('recorded');
    if (!isOurs) throw new LogError('unavailable', `Another host archives lane ${this.#lane}.`);
  }

  async #read(
    from: number,
    last: number,
    untilMs: number,
  ): Promise<{ readonly messages: readonly ArchivedMessage[]; readonly isFull: boolean }> {
    const { log, limits } = this.#ports;
    const messages: ArchivedMessage[] = [];
    let bytes = 0;
    for (let next = from; next <= last; ) {
      const commands = await log.readCommands(this.#lane, next);
      const outcomes = await log.readOutcomes(this.#lane, next);
      const count = Math.min(commands.length, outcomes.length);
      if (count === 0) throw this.#missing(next);
      for (let at = 0; at < count; at += 1) {
        const [command, outcome] = [commands[at]!, outcomes[at]!];
        if (command.sequence !== next || outcome.sequence !== next) throw this.#missing(next);
        const isFull = bytes >= limits.segmentBytes || messages.length >= limits.segmentMessages;
        if (next > last || isFull || command.timestampMs > untilMs) return { messages, isFull };
        messages.push({ command, outcome });
        const size = command.bytes.length + outcome.bytes.length + overheadBytes;
        bytes += size;
        next += 1;
        await this.#ports.worked(size);
      }
    }
    return { messages, isFull: false };
  }

  /** '' where the record is gone: then the archive begins with a record whose predecessor is unknown. */
  async #headAt(sequence: number): Promise<string> {
    if (sequence === 0) return toHex(firstLaneHead);
    const stored = await this.#ports.log.readOutcome(this.#lane, sequence);
    const record = stored === null ? null : recordHead(stored.bytes);
    return record === null ? '' : toHex(record.laneHead);
  }

  /** Uploads of killed processes that can no longer be recorded. Once in a process's life. */
  async #removeLeftovers(): Promise<void> {
    if (this.#cleaned) return;
    const { index } = this.#ports;
    const store = await index.store();
    const last = index.lastSequence(this.#lane);
    const recorded = new Set(index.segments(this.#lane).map(({ object }) => object));
    for (const object of await store.list()) {
      const place = placeOfObject(object);
      if (place?.lane !== this.#lane || recorded.has(object) || place.first > last) continue;
      await store.remove(object);
    }
    this.#cleaned = true;
  }

  #missing(sequence: number): LogError {
    return new LogError(
      'hole',
      `Message ${sequence} of lane ${this.#lane} cannot be archived: it is missing.`,
    );
  }
}
