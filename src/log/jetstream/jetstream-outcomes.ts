import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AppendResult,
  type BlockRecord,
  type FollowHandlers,
  isUnreadable,
  LogError,
  type OutcomeRouting,
  type StoredOutcome,
} from '../../ports.ts';
import { isOutcomeSubject, outcomeFilter, outcomeStream, outcomeSubject } from '../base/names.ts';
import { type BatchLimit, readStoredBatch } from './direct-read.ts';
import { isBlock, packBlock, type RecordOfBlock, recordsOfBlock } from './outcome-block.ts';
import { type OutcomeEnd, OutcomePlaces, recordsIn } from './outcome-places.ts';
import { publish } from './publish.ts';
import { RecordParts, wholeRecordBytes } from './record-parts.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';
import { StreamFollower } from './stream-follower.ts';

const appendTimeoutMs = 2_000;
const partsRetryMs = 250;

/** The blocks of a lane that were sent one after the other, each expecting the one before. */
interface SentBlocks {
  end: Promise<OutcomeEnd>;
}

/** A block does not follow the last record: nothing was sent. */
class Misplaced extends Error {}

/** The outcome streams: records that are messages of their own, in parts, or in blocks. */
export class JetStreamOutcomes {
  readonly places: OutcomePlaces;
  readonly #requester: Requester;
  readonly #replicas: number;
  readonly #batch: BatchLimit | undefined;
  readonly #parts: RecordParts;
  /** By lane, a record that is being stored in parts: later records would be refused before it is there. */
  readonly #storingParts = new Map<number, Promise<unknown>>();
  readonly #sent = new Map<number, SentBlocks>();

  constructor(requester: Requester, replicas: number, batch?: BatchLimit) {
    this.#requester = requester;
    this.#replicas = replicas;
    this.#batch = batch;
    this.#parts = new RecordParts(requester, replicas);
    this.places = new OutcomePlaces(requester, replicas);
  }

  async append(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    traces?: string,
  ): Promise<AppendResult> {
    const before = (): Promise<unknown> | undefined => this.#storingParts.get(lane);
    for (let storing = before(); storing !== undefined; storing = before()) await storing.catch(() => {});
    if (bytes.length <= wholeRecordBytes) return this.#publish(lane, sequence, routing, bytes, { traces });
    const stored = this.#parts
      .store(lane, sequence, bytes)
      .then(({ checksum, parts }) => this.#publish(lane, sequence, routing, checksum, { parts }));
    this.#storingParts.set(lane, stored);
    try {
      return await stored;
    } finally {
      if (this.#storingParts.get(lane) === stored) this.#storingParts.delete(lane);
    }
  }

  async appendBlock(lane: number, first: number, records: readonly BlockRecord[]): Promise<AppendResult> {
    const sent = this.#sent.get(lane) ?? { end: this.places.end(lane) };
    this.#sent.set(lane, sent);
    const sending = sent.end.then((end) => this.#send(lane, first, records, end));
    sent.end = sending.then(({ end }) => end);
    sent.end.catch(() => {});
    let stored: AppendResult | undefined;
    try {
      stored = await (await sending).answer;
      if (stored.kind === 'stored') return { ...stored, sequence: first + records.length - 1 };
    } catch (error) {
      if (!(error instanceof Misplaced)) throw error;
    } finally {
      // What was sent behind it will be refused; the next block asks for the end.
      if (stored?.kind !== 'stored' && this.#sent.get(lane) === sent) this.#sent.delete(lane);
    }
    return { kind: 'wrong_last_sequence', last: (await this.places.end(lane)).record };
  }

  async read(lane: number, sequence: number): Promise<StoredOutcome | null> {
    const message = await this.places.find(lane, sequence);
    if (message === null) return null;
    return (await this.#recordsOf(lane, message)).find((record) => record.sequence === sequence) ?? null;
  }

  async readBatch(lane: number, fromSequence: number): Promise<readonly StoredOutcome[]> {
    const from = Math.max(1, fromSequence);
    const at = await this.places.startOf(lane, from);
    const messages = await readStoredBatch(this.#requester, outcomeStream(lane), at, null, this.#batch);
    const records = (await Promise.all(messages.map((message) => this.#recordsOf(lane, message)))).flat();
    const [message, last] = [messages.at(-1), records.at(-1)?.sequence];
    if (message !== undefined && last !== undefined)
      this.places.noteRead(lane, message.sequence, { first: last, last });
    return records.filter(({ sequence }) => sequence >= from);
  }

  follow(
    lane: number,
    fromSequence: number,
    filter: Partial<OutcomeRouting>,
    handlers: FollowHandlers<StoredOutcome>,
  ): StreamFollower {
    const stream = outcomeStream(lane);
    const subject = outcomeFilter(lane, filter);
    const gapless = subject === outcomeFilter(lane, {});
    let [next, isFirst] = [Math.max(1, fromSequence), true];
    const follower: StreamFollower = new StreamFollower(
      this.#requester,
      { stream, filter: subject, gapless, replicas: this.#replicas },
      () => this.places.startOf(lane, next),
      {
        message: (message) => {
          const { first, last } = recordsIn(message);
          if (gapless && first > next) throw new LogError('hole', `${stream} has no record ${next}.`);
          if (!isFirst && first < next) throw new LogError('corrupt', `${stream} has record ${first} twice.`);
          const from = next;
          [next, isFirst] = [last + 1, false];
          if (message.parts !== null) return this.#deliverParts(lane, message, handlers, follower);
          if (!isBlock(message.bytes)) return handlers.message(toOutcome(lane, message));
          const isWanted = ({ sequence, routing }: RecordOfBlock): boolean =>
            sequence >= from && matches(routing, filter);
          const records = recordsOfBlock(message.bytes).filter(isWanted);
          return deliver(
            records.map((record) => toOutcome(lane, message, record)),
            handlers,
            follower,
          );
        },
        caughtUp: () => handlers.caughtUp?.(next - 1),
      },
    );
    return follower;
  }

  /** Sends one block after those before it; it is on its way when this resolves. */
  async #send(
    lane: number,
    first: number,
    records: readonly BlockRecord[],
    { record, at }: OutcomeEnd,
  ): Promise<{ readonly end: OutcomeEnd; readonly answer: Promise<AppendResult> }> {
    if (record !== first - 1) throw new Misplaced();
    const { bytes, traces } = records[0]!;
    const inParts = bytes.length > wholeRecordBytes ? await this.#parts.store(lane, first, bytes) : null;
    const subject = outcomeSubject(lane, routingOfAll(records));
    const answer = publish(this.#requester, subject, inParts?.checksum ?? packBlock(first, records), {
      timeoutMs: appendTimeoutMs,
      expectedLast: at,
      traces,
      ...(inParts === null ? {} : { parts: `${inParts.parts} ${first}` }),
    });
    answer.catch(() => {});
    return { end: { record: first + records.length - 1, at: at + 1 }, answer };
  }

  async #publish(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    headers: { readonly parts?: string; readonly traces?: string | undefined },
  ): Promise<AppendResult> {
    const result = await publish(this.#requester, outcomeSubject(lane, routing), bytes, {
      timeoutMs: appendTimeoutMs,
      expectedLast: sequence - 1,
      ...headers,
    });
    if (result.kind === 'stored' || result.last >= 0) return result;
    return { kind: 'wrong_last_sequence', last: (await this.places.end(lane)).record };
  }

  /** The records of a message; those that cannot be read any more are left out. */
  async #recordsOf(lane: number, message: StoredMessage): Promise<readonly StoredOutcome[]> {
    if (message.parts !== null) {
      const bytes = await this.#parts.load(lane, message);
      return bytes === null ? [] : [toOutcome(lane, message, { sequence: recordsIn(message).first, bytes })];
    }
    if (!isBlock(message.bytes)) return [toOutcome(lane, message)];
    try {
      return recordsOfBlock(message.bytes).map((record) => toOutcome(lane, message, record));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return [];
    }
  }

  /** A follower never skips a record: it asks again after an outage. */
  async #deliverParts(
    lane: number,
    message: StoredMessage,
    handlers: FollowHandlers<StoredOutcome>,
    follower: StreamFollower,
  ): Promise<void> {
    while (!follower.stopped) {
      try {
        const [record] = await this.#recordsOf(lane, message);
        if (record !== undefined) return deliver([record], handlers, follower);
        throw new LogError('hole', `Parts of record ${recordsIn(message).first} of lane ${lane} are gone.`);
      } catch (error) {
        if (!(error instanceof LogError && error.retryable)) throw error;
      }
      await sleep(partsRetryMs);
    }
  }
}

async function deliver(
  records: readonly StoredOutcome[],
  handlers: FollowHandlers<StoredOutcome>,
  follower: StreamFollower,
): Promise<void> {
  for (const record of records) {
    if (follower.stopped) return;
    await handlers.message(record);
  }
}

function toOutcome(
  lane: number,
  message: StoredMessage,
  { sequence, bytes }: { readonly sequence: number; readonly bytes: Uint8Array } = message,
): StoredOutcome {
  const { timestampMs, subject, relayed, traces } = message;
  if (relayed || !isOutcomeSubject(subject)) {
    throw new LogError(
      'corrupt',
      `Record ${sequence} of lane ${lane} has a writer without permission (${subject}).`,
    );
  }
  return { lane, sequence, timestampMs, bytes, traces };
}

function routingOfAll(records: readonly BlockRecord[]): OutcomeRouting {
  return {
    wallet: records.some(({ routing }) => routing.wallet),
    hooks: records.some(({ routing }) => routing.hooks),
    events: records.some(({ routing }) => routing.events),
  };
}

function matches(routing: OutcomeRouting, filter: Partial<OutcomeRouting>): boolean {
  const names = Object.keys(filter) as (keyof OutcomeRouting)[];
  return names.every((name) => filter[name] === undefined || filter[name] === routing[name]);
}
