import { randomUUID } from 'node:crypto';
import { Fifo } from './fifo.ts';
import { writeBody } from './json-text.ts';
import type { OpenContribution, StreamItem, StreamLimits } from './stream-types.ts';

/** A contribution from its input to the caller who takes its result. */
export interface Entry<Ref> {
  readonly ref: Ref;
  readonly key: string;
  /** Its line behind `{"ref":N,`. Every attempt sends the same bytes. */
  readonly text: string;
  readonly bytes: number;
  attempts: number;
  /** An attempt was not answered: it may have been applied. */
  isUncertain: boolean;
  /** When it was refused for lack of room for the first time; null: never. */
  refusedMs: number | null;
  refusals: number;
  sentMs: number;
  dueMs: number;
}

/** @throws TypeError if JSON cannot hold the contribution */
export function entryOf<Ref>({ ref, contribution }: StreamItem<Ref>): Entry<Ref> {
  const { options } = contribution;
  const key = options?.idempotency_key ?? randomUUID();
  const json = writeBody({ ...contribution, options: { ...options, idempotency_key: key } });
  const text = json.slice(1);
  return {
    ref,
    key,
    text,
    bytes: Buffer.byteLength(text),
    attempts: 0,
    isUncertain: false,
    refusedMs: null,
    refusals: 0,
    sentMs: 0,
    dueMs: 0,
  };
}

export function openContribution<Ref>({ ref, key, isUncertain }: Entry<Ref>): OpenContribution<Ref> {
  return { ref, idempotency_key: key, outcome: isUncertain ? 'unknown' : 'not_applied' };
}

/**
 * The contributions under way that are not on the connection: those that wait to be sent, and those that wait to be sent again.
 * It counts all of them.
 */
export class StreamWindow<Ref> {
  readonly #limits: StreamLimits;
  readonly #unsent = new Fifo<Entry<Ref>>();
  #deferred: Entry<Ref>[] = [];
  #count = 0;
  #bytes = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get hasRoom(): boolean {
    return this.#count < this.#limits.maxContributions && this.#bytes < this.#limits.maxBytes;
  }

  get isEmpty(): boolean {
    return this.#unsent.length === 0 && this.#deferred.length === 0;
  }

  add(entry: Entry<Ref>): void {
    this.count(entry);
    this.#unsent.push(entry);
  }

  /** It is under way until `release`, wherever it is. */
  count({ bytes }: Entry<Ref>): void {
    this.#count += 1;
    this.#bytes += bytes;
  }

  /** The caller has taken its result. */
  release({ bytes }: Entry<Ref>): void {
    this.#count -= 1;
    this.#bytes -= bytes;
  }

  /** The next one that may be sent; what was deferred and is due goes first. */
  take(nowMs: number): Entry<Ref> | undefined {
    const due = this.#deferred.length === 0 ? -1 : this.#deferred.findIndex(({ dueMs }) => dueMs <= nowMs);
    return due >= 0 ? this.#deferred.splice(due, 1)[0] : this.#unsent.shift();
  }

  defer(entry: Entry<Ref>, dueMs: number): void {
    entry.dueMs = dueMs;
    this.#deferred.push(entry);
  }

  get hasDeferred(): boolean {
    return this.#deferred.length > 0;
  }

  /** They were on a connection that is over: they go first, in their order. */
  putBack(entries: readonly Entry<Ref>[]): void {
    if (entries.length > 0) this.#unsent.putFirst(entries);
  }

  waiting(): Entry<Ref>[] {
    return [...this.#deferred, ...this.#unsent.toArray()];
  }
}
