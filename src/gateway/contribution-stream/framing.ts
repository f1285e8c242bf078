import type { ServicePrincipal } from '../../access/principal.ts';
import type { AnswerForm } from '../contribution/answer-form.ts';
import type { Draft } from '../contribution/contribute.ts';
import type { PublicError } from '../errors.ts';

/** What a caller names a line by; null: the line has no good one. */
export type Ref = string | number | null;

/** What gets the name of a line, once it is read. */
export interface Named {
  ref: Ref;
}

/** Cuts the bytes of a stream into lines, or into frames: what holds one contribution is a line in this folder. */
export interface LineReader {
  /** Number of the line at hand, from 1. */
  readonly line: number;
  readonly bytes: number;
  /** Why no more lines can be read: the one after that at hand is too large, or cut off. */
  readonly fault: PublicError | null;
  push(chunk: Buffer): void;
  /** No more bytes will come. */
  end(): void;
  /** Goes to the next line; false: it is not there, or there is a fault. */
  next(): boolean;
  /** The name of the line at hand. */
  ref(): Ref;
  /** The contribution of the line at hand, checked as the body of O16. Names the line first, good or bad. @throws PublicError */
  draft(line: Named, caller: ServicePrincipal, form: AnswerForm<unknown>): Draft<unknown>;
  /** Number of the first line that `next` has not gone to. */
  nextLine(): number;
}

/** Collects results until they are written, many at a time. */
export interface ResultWriter {
  /** What `result` takes for an answer. */
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
  /** Of its answer. */
  readonly mediaType: string;
  createReader(): LineReader;
  createWriter(): ResultWriter;
}
