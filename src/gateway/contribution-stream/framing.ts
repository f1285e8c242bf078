import type { ParsedBody } from '../body/parse.ts';
import type { AnswerForm } from '../contribution/answer-form.ts';
import type { PublicError } from '../errors.ts';

/** What a caller names a line by; null: the line has no good one. */
export type Ref = string | number | null;

/** Cuts the bytes of a stream into lines, one at a time. */
export interface LineReader {
  /** Number of the line at hand, from 1. */
  readonly line: number;
  readonly bytes: number;
  /** Why no more lines can be read: the one after that at hand is too large. */
  readonly fault: PublicError | null;
  push(chunk: Buffer): void;
  /** No more bytes will come: what is left is a line. */
  end(): void;
  /** Goes to the next line; false: it is not there, or there is a fault. */
  next(): boolean;
  /** The value of the line at hand. @throws PublicError */
  parse(): ParsedBody;
  /** Number of the first line that `next` has not gone to. */
  nextLine(): number;
}

/** Collects results until they are written, many at a time. */
export interface ResultWriter {
  /** What follows the ref of a result. */
  readonly form: AnswerForm<unknown>;
  result(ref: Ref, answer: unknown): void;
  error(ref: Ref, line: number, error: PublicError): void;
  /** The stream ends before its input: all lines before `line` have their results, it and those behind it were not taken. */
  last(line: number, error: PublicError): void;
  /** What was collected; null: nothing. */
  take(): string | Buffer | null;
}

/** A form of the stream on the connection. */
export interface Framing {
  readonly mediaType: string;
  createReader(): LineReader;
  createWriter(): ResultWriter;
}
