import type { AppliedMessage, Replica } from '../../actors/replica/replica.ts';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { UnsupportedEngineVersion } from '../../jackpot/lane/versions/versions.ts';
import { rulesOf } from '../../jackpot/state/lane/version-rules.ts';
import { equalBytes } from '../../lib/bytes.ts';
import { errorText } from '../../log/base/error-text.ts';
import { withLaneHead } from '../../messages/codec/record-head.ts';
import type { InstanceDescription } from '../../messages/records.ts';
import type { SettlementRecord } from '../../messages/settlements.ts';
import { LogError, type StoredCommand, type StoredOutcome } from '../../ports.ts';
import type { BookedMessage, FlushChange } from '../base/booked-message.ts';
import { BookRecorder } from './book-recorder.ts';
import { BooksError } from './books-error.ts';
import { MissingStreamKey, type OutcomeGuide } from './outcome-guide.ts';

const noHead = new Uint8Array(0);
/** Open payments that are asked for at a time. */
const paymentsPerPage = 1000;

/** The state of a lane's books at a place. */
export interface BooksCopy {
  readonly chunks: readonly Uint8Array[];
  readonly head: Uint8Array;
}

/**
 * The books of one lane: a replica without draw keys, which says of each message what it did to the accounts.
 * It must make the record that OUT has, to the byte. After an error it is of no more use.
 */
export class LaneBooks {
  readonly #replica: Replica;
  readonly #guide: OutcomeGuide;
  readonly #recorder = new BookRecorder();

  /** `guide`: the one that the replica's hashing and quarantines come from. */
  constructor(replica: Replica, guide: OutcomeGuide) {
    this.#replica = replica;
    this.#guide = guide;
  }

  /** The message that was applied last. */
  get sequence(): number {
    return this.#replica.appliedSequence;
  }

  get head(): Uint8Array {
    return this.#replica.laneHead;
  }

  get timestampMs(): number {
    return this.#engine.timestampMs;
  }

  /** Whether records from here on name the keys of their draws. */
  get namesStreamKeys(): boolean {
    return rulesOf(this.#engine.engineVersion).drawsNameKeys;
  }

  instances(): Iterable<string> {
    return this.#engine.instances();
  }

  instance = (id: string): InstanceDescription | null => this.#engine.describe(id);
  accounts = (id: string): readonly (readonly [account: string, atoms: bigint])[] | null =>
    this.#engine.accounts(id);

  copy(): BooksCopy {
    return { chunks: [...this.#engine.snapshot()], head: this.head };
  }

  /** Debits and credits that are open. */
  *payments(): Iterable<SettlementRecord> {
    for (const debit of paged((after) => this.#engine.openDebits(after, paymentsPerPage)))
      yield { kind: 'debit', debit };
    for (const credit of paged((after) => this.#engine.openCredits(after, paymentsPerPage, [], '')))
      yield { kind: 'credit', credit };
  }

  /**
   * Applies the next message, whose record OUT has.
   * @throws BooksError `books_differ`, `stream_keys_missing`; UnsupportedEngineVersion; LogError where bytes
   * are damaged
   */
  apply(command: StoredCommand, stored: StoredOutcome): BookedMessage {
    const { lane } = this.#replica;
    const next = this.sequence + 1;
    if (command.sequence !== next || stored.sequence !== next)
      throw new LogError(
        'hole',
        `Lane ${lane}: ${command.sequence} and ${stored.sequence} came for ${next}.`,
      );
    this.#guide.follow(stored.bytes);
    this.#recorder.begin(next);
    const { batch, outcome, record } = this.#applied(command);
    if (!equalBytes(record, stored.bytes)) throw this.#differs(next, differenceOf(record, stored.bytes));
    const { postings, contributions, payments } = this.#recorder;
    const { instance, accounts, head, timestampMs } = this;
    const flushes = this.#recorder.flushes.flatMap(({ index, before, after }): FlushChange[] => {
      const answer = batch.commands[index];
      const end = answer?.kind === 'FlushSettled' ? answer.result : 'confirmed';
      return [
        ...(before === null ? [] : [{ index, flush: before, end }]),
        ...(after === null ? [] : [{ index, flush: after, end: null }]),
      ];
    });
    const made = { lane, sequence: next, timestampMs, head, batch, outcome };
    return { ...made, postings, contributions, payments, flushes, instance, accounts };
  }

  #applied(command: StoredCommand): AppliedMessage {
    try {
      const applied = this.#replica.apply(command, this.#recorder);
      this.#recorder.end();
      return applied;
    } catch (error) {
      if (error instanceof LogError || error instanceof UnsupportedEngineVersion) throw error;
      if (!(error instanceof MissingStreamKey) || this.namesStreamKeys)
        throw this.#differs(command.sequence, errorText(error), error);
      const what = 'something was drawn in an engine version that names no keys';
      throw new BooksError('stream_keys_missing', command.lane, command.sequence, what);
    }
  }

  #differs(sequence: number, what: string, cause?: unknown): BooksError {
    return new BooksError('books_differ', this.#replica.lane, sequence, what, { cause });
  }

  get #engine(): LaneEngine {
    return this.#replica.engine;
  }
}

function differenceOf(made: Uint8Array, stored: Uint8Array): string {
  return equalBytes(withLaneHead(made, noHead), withLaneHead(stored, noHead))
    ? 'the replay has another lane head than its outcome record'
    : 'the replay makes another outcome record than the stored one';
}

/** All records, asked for page by page: each page begins after a number. */
function* paged<T extends { readonly number: number }>(pageAfter: (number: number) => readonly T[]) {
  for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)!.number)) yield* page;
}
