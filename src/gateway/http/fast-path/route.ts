import type { IncomingHttpHeaders } from 'node:http';
import type { TraceParent } from '../../../lib/tracing.ts';
import type { Reply } from '../../base/reply.ts';
import type { RequestKind } from '../../base/request-durations.ts';
import type { TracedOperation } from '../request-observation.ts';
import type { PathInputs } from './path-matcher.ts';

/** Where the outcome of a request goes; one of the two is called, once. */
export interface AnswerSink {
  answer(reply: Reply): void;
  fail(error: unknown): void;
}

/** A route that is served without the router, by whichever front reads the request. */
export interface FastPathRoute<Inputs = unknown> {
  readonly kind: RequestKind;
  readonly operation: TracedOperation;
  readonly method: 'GET' | 'POST';
  /** 0: its requests have no body. */
  readonly maxBytes: number;
  readonly guarded: boolean;
  readonly answersPages: boolean;
  /** The inputs of a request's target, the query included; null: another route's, or the router's. */
  match(target: string): Inputs | null;
  /** Those of the path. */
  pathInputs(inputs: Inputs): PathInputs;
  begin(call: FastPathCall<Inputs>, sink: AnswerSink): void;
}

export interface FastPathCall<Inputs> {
  readonly inputs: Inputs;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  readonly bytes: Buffer | null;
  readonly trace: TraceParent | null;
}
