import type { ReadModel } from '../../directory/read-model.ts';
import { AllowedOrigins } from '../../network/allowed-origins.ts';
import type { Clock } from '../../ports.ts';
import type { Operation } from '../api/operation/operation.ts';
import { answersPages, Cors } from '../http/cors.ts';
import { NamedOperators } from './named-operators.ts';

/** Headers that a page may send beside those that need no leave: what operations read, but for signatures, whose secrets no page has. */
export const requestHeadersOfPages = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Traceparent',
  'Tracestate',
  'X-Player-Token',
] as const;

/** Headers of answers that a page may read beside those that need no leave. */
export const answerHeadersForPages = [
  'Allow',
  'Deprecation',
  'Retry-After',
  'WWW-Authenticate',
  'X-Contribution-Id',
  'X-Incomplete',
  'X-Instance-Id',
  'X-Request-Id',
  'X-Tickets-Awarded',
  'X-Timestamp',
  'X-Win-Amount',
  'X-Win-Currency',
  'X-Win-Pot-Id',
] as const;

/** What pages of other origins may do with the operations, by the rules of the directory. */
export function createCors(operations: readonly Operation[], directory: ReadModel, clock: Clock): Cors {
  const origins = new AllowedOrigins(
    () => directory.entries.corsRulesInForce,
    () => clock.nowMs(),
  );
  const open = operations.filter(({ path }) => answersPages(path));
  return new Cors(origins, new NamedOperators(directory, open), {
    methods: [...new Set(['HEAD', ...open.map(({ method }) => method)])].sort(),
    requestHeaders: requestHeadersOfPages,
    answerHeaders: answerHeadersForPages,
  });
}
