import type { PotstreamError } from './errors.ts';
import { Fifo } from './fifo.ts';
import type { StreamMessage } from './stream-messages.ts';
import type { StreamResult } from './stream-types.ts';
import type { Entry } from './stream-window.ts';

/** What the caller gets for a contribution that was applied. */
export function resultOf<Ref>(
  { ref, key: idempotency_key, attempts }: Entry<Ref>,
  { results = [], replayed = false, contribution_id = null, timestamp = null }: StreamMessage,
): StreamResult<Ref> {
  return { ok: true, ref, idempotency_key, attempts, replayed, results, contribution_id, timestamp };
}

/** What the caller gets for one that was not. */
export function refusalOf<Ref>(
  { ref, key: idempotency_key, attempts, isUncertain }: Entry<Ref>,
  { status_code, code, message, retry_after_ms }: PotstreamError,
): StreamResult<Ref> {
  const error = { status_code, code, message, retry_after_ms };
  return {
    ok: false,
    ref,
    idempotency_key,
    attempts,
    error,
    outcome: isUncertain ? 'unknown' : 'not_applied',
  };
}

/** Results that the caller has not taken. There are as many as contributions under way at most. */
export class UnreadResults<Ref> {
  readonly #results = new Fifo<readonly [Entry<Ref>, StreamResult<Ref>, number]>();
  /** Of the lines that they came in. */
  characters = 0;

  get length(): number {
    return this.#results.length;
  }

  push(entry: Entry<Ref>, result: StreamResult<Ref>, characters: number): void {
    this.characters += characters;
    this.#results.push([entry, result, characters]);
  }

  shift(): readonly [Entry<Ref>, StreamResult<Ref>] | null {
    const first = this.#results.shift();
    if (first === undefined) return null;
    const [entry, result, characters] = first;
    this.characters -= characters;
    return [entry, result];
  }
}
