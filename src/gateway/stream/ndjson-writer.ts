import { uuidText } from '../../lib/uuid.ts';
import { type AnswerForm, resultList } from '../api/contribution/reply.ts';
import type { PublicError } from '../base/errors.ts';
import type { Ref } from './ref.ts';

/** The members after the ref, in JSON. */
const form: AnswerForm<string> = {
  contributed: (applied) => `"results":${resultList(applied)}`,
  repeated: (first) => `"results":${resultList(first)},"replayed":true`,
  accepted: ({ contributionId }, timestampMs, isRepeated) =>
    `"results":[],"contribution_id":"${uuidText(contributionId)}","timestamp":${timestampMs}${isRepeated ? ',"replayed":true' : ''}`,
};

/** Results as lines of JSON (docs/rules/streams.md "Results"). */
export class NdjsonWriter {
  /** What `result` takes for an answer. */
  readonly form = form;
  #text = '';

  result(ref: Ref, answer: string): void {
    this.#text += `{"ref":${textOf(ref)},${answer}}\n`;
  }

  error(ref: Ref, line: number, error: PublicError): void {
    const place = ref === null ? `,"line":${line}` : '';
    this.#text += `{"ref":${textOf(ref)}${place},${membersOf(error)}}\n`;
  }

  /** The stream ends before its input: `line` and those after it were not taken. */
  last(line: number, error: PublicError): void {
    this.#text += `{"ref":null,"line":${line},${membersOf(error)},"end":true}\n`;
  }

  /** What was collected; null: nothing. */
  take(): string | null {
    if (this.#text === '') return null;
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

function textOf(ref: Ref): string {
  return typeof ref === 'string' ? JSON.stringify(ref) : String(ref);
}

/** `retry_after` is the header of a request's answer. */
function membersOf(error: PublicError): string {
  const { retryAfterSeconds } = error;
  return `"error":${error.body()}${retryAfterSeconds === null ? '' : `,"retry_after":${retryAfterSeconds}`}`;
}

/** Lines of contribution streams that were answered since the start, for the metrics. */
export const streamedLines = { results: 0, errors: 0 };
