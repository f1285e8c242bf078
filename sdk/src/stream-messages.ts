import type { ContributionResult } from './contributions.ts';
import { PotstreamError } from './errors.ts';
import { exactStreamLine } from './exact-decimals.ts';

/** A line of the answer (docs/rules/streams.md "Results"). */
export interface StreamMessage {
  /** Number of the line of the request that it answers; null: see `line`. */
  readonly ref: number | null;
  readonly line?: number;
  readonly results?: readonly ContributionResult[];
  readonly replayed?: boolean;
  readonly contribution_id?: string | null;
  readonly timestamp?: number | null;
  readonly error?: { readonly status_code: number; readonly code: string; readonly message: string };
  /** Seconds. */
  readonly retry_after?: number;
  /** The stream ends: `line` and those behind it were not taken. */
  readonly end?: boolean;
}

/** Far more than the results of a contribution to all linked instances take. */
const maxLineCharacters = 4 * 1024 * 1024;
const maxQuotedCharacters = 200;

/** Cuts the answer into its messages. */
export class MessageReader {
  #begun = '';

  /** @throws PotstreamError where the answer is not Potstream's */
  read(text: string, take: (message: StreamMessage, characters: number) => void): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#begun + text.slice(start, end);
      this.#begun = '';
      start = end + 1;
      take(messageOf(line), line.length);
    }
    this.#begun += text.slice(start);
    if (this.#begun.length > maxLineCharacters) throw unexpected('a line without an end', this.#begun);
  }
}

/** An answer that Potstream does not give. */
export function unexpected(what: string, text: string): PotstreamError {
  return new PotstreamError({
    status_code: null,
    code: 'unexpected_answer',
    message: `The stream's answer has ${what}: ${text.slice(0, maxQuotedCharacters)}`,
    request_id: null,
    retry_after_ms: null,
  });
}

function messageOf(line: string): StreamMessage {
  let value: unknown;
  try {
    value = exactStreamLine(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unexpected('a line that is no JSON', line);
  }
  if (!isMessage(value)) throw unexpected('a line that is no result', line);
  return value;
}

function isMessage(value: unknown): value is StreamMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { ref, line, results, error } = value as StreamMessage;
  if (!(Number.isSafeInteger(ref) || (ref === null && Number.isSafeInteger(line)))) return false;
  if (error === undefined) return Array.isArray(results) && ref !== null;
  return typeof error.status_code === 'number' && typeof error.code === 'string';
}
