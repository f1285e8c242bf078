import { isUnreadable, LogError, type StreamExtent } from '../../ports.ts';
import { commandStream, outcomeFilter, outcomeStream } from '../base/names.ts';
import { streamExtent, streamState } from './api.ts';
import { readMessage } from './direct-read.ts';
import { type BlockRange, isBlock, rangeOfBlock } from './outcome-block.ts';
import { recordOfParts } from './record-parts.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

/** Looks this far back for the form of a stream whose last message cannot be read. */
const looksBack = 64;

/** A message of an outcome stream, and the records that it holds. */
interface Found extends BlockRange {
  readonly at: number;
  readonly message: StoredMessage;
}

/** The last record of a stream, and the place of its last message. */
export interface OutcomeEnd {
  readonly record: number;
  readonly at: number;
}

/** The first and last record of a message. @throws LogError `corrupt` */
export function recordsIn({ sequence, bytes, parts }: StoredMessage): BlockRange {
  if (parts === null && isBlock(bytes)) return rangeOfBlock(bytes);
  const single = (parts === null ? null : recordOfParts(parts)) ?? sequence;
  return { first: single, last: single };
}

/**
 * Where the records of outcome streams are. Until the first block each record is at its own sequence; a
 * block holds several, so later ones are at lower places of the stream, and found by interpolation.
 */
export class OutcomePlaces {
  readonly #requester: Requester;
  readonly #replicas: number;
  /** By lane, the last message that was read: most readers go on from there. Checked before it counts. */
  readonly #lastRead = new Map<number, BlockRange & { readonly at: number }>();

  constructor(requester: Requester, replicas: number) {
    this.#requester = requester;
    this.#replicas = replicas;
  }

  /** The message with this record; null if the stream does not have it. @throws LogError */
  async find(lane: number, record: number): Promise<StoredMessage | null> {
    const { found } = (await this.#near(lane, record)) ?? (await this.#search(lane, record));
    if (found === null) return null;
    this.#lastRead.set(lane, found);
    return found.first <= record ? found.message : null;
  }

  /** The first message with this record or a later one; one more than the last where there is none. */
  async startOf(lane: number, record: number): Promise<number> {
    return ((await this.#near(lane, record)) ?? (await this.#search(lane, record))).at;
  }

  /** @throws LogError */
  async end(lane: number): Promise<OutcomeEnd> {
    const { first_seq: first, last_seq: at } = await streamState(this.#requester, outcomeStream(lane));
    return { record: await this.#lastRecord(lane, first, at), at };
  }

  /** The last record of a stream whose messages are at the places from `first` to `at`. */
  async #lastRecord(lane: number, first: number, at: number): Promise<number> {
    if (at === 0) return 0;
    const last = await this.#read(lane, at);
    if (last !== null) return last.last;
    for (let before = at - 1; before >= Math.max(first, at - looksBack); before -= 1) {
      const found = await this.#read(lane, before);
      if (found === null) continue;
      if (found.last === before) return at;
      throw new LogError('corrupt', `The last message of ${outcomeStream(lane)} cannot be read.`);
    }
    // What is in CMD has no record: it would have come later, and would leave later.
    const { firstSequence } = await streamExtent(this.#requester, commandStream(lane));
    return Math.max(at, firstSequence - 1);
  }

  /** As `streamExtent`, in records. @throws LogError */
  async extent(lane: number): Promise<StreamExtent> {
    const extent = await streamExtent(this.#requester, outcomeStream(lane));
    const lastSequence = await this.#lastRecord(lane, extent.firstSequence, extent.lastSequence);
    if (extent.messages === 0) return { ...extent, firstSequence: lastSequence + 1, lastSequence };
    const firstSequence = (await this.#next(lane, extent.firstSequence))?.first ?? extent.firstSequence;
    const missing = extent.lastSequence - extent.firstSequence + 1 - extent.messages;
    const messages = Math.max(1, lastSequence - firstSequence + 1 - missing);
    return { ...extent, firstSequence, lastSequence, messages };
  }

  /** Notes what was read elsewhere, for those who go on after it. */
  noteRead(lane: number, at: number, range: BlockRange): void {
    this.#lastRead.set(lane, { at, ...range });
  }

  async #near(lane: number, record: number): Promise<{ at: number; found: Found } | null> {
    const read = this.#lastRead.get(lane);
    if (read === undefined || record < read.first || record > read.last + 1) return null;
    const at = record > read.last ? read.at + 1 : read.at;
    const found = await this.#read(lane, at);
    return found !== null && found.first <= record && record <= found.last ? { at, found } : null;
  }

  /** The first message whose last record is this one or a later one. */
  async #search(lane: number, record: number): Promise<{ at: number; found: Found | null }> {
    // Where each record is at its own sequence, this is all.
    let found = await this.#next(lane, record);
    let high = record;
    let end = 0;
    if (found === null) {
      ({ last_seq: end } = await streamState(this.#requester, outcomeStream(lane)));
      found = end === 0 ? null : await this.#read(lane, end);
      if (end === 0 || (found !== null && found.last < record)) return { at: end + 1, found: null };
      high = found === null ? end + 1 : end;
    }
    let low = { at: 0, record: 0 };
    for (let tries = 1; low.at + 1 < high && (found === null || found.first > record); tries += 1) {
      const isByHalves = found === null || tries % 3 === 0;
      const part = isByHalves ? 0.5 : (record - low.record) / (found!.first - low.record);
      const between = low.at + Math.round(part * (high - low.at));
      const guess = Math.max(low.at + 1, Math.min(high - 1, between));
      const next = await this.#next(lane, guess);
      if (next !== null && next.at < high && next.last < record) low = { at: next.at, record: next.last };
      else {
        if (next !== null && next.at < high) found = next;
        high = guess;
      }
    }
    return { at: found?.at ?? end + 1, found };
  }

  /** null: it is not there, or cannot be read. */
  async #read(lane: number, at: number): Promise<Found | null> {
    const request = { seq: at };
    return foundIn(await readMessage(this.#requester, outcomeStream(lane), request, this.#replicas));
  }

  /** The first message from a place on that can be read. */
  async #next(lane: number, from: number): Promise<Found | null> {
    for (let at = Math.max(1, from); ; ) {
      const request = { seq: at, next_by_subj: outcomeFilter(lane, {}) };
      const message = await readMessage(this.#requester, outcomeStream(lane), request, this.#replicas);
      if (message === null) return null;
      const found = foundIn(message);
      if (found !== null) return found;
      at = message.sequence + 1;
    }
  }
}

function foundIn(message: StoredMessage | null): Found | null {
  if (message === null) return null;
  try {
    return { at: message.sequence, message, ...recordsIn(message) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return null;
  }
}
