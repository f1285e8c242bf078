import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadModel } from '../../directory/read-model.ts';
import type { AllowedOrigins } from '../../network/allowed-origins.ts';
import { PublicError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { sendError, sendReply } from './answer.ts';
import type { PathInputs } from './fast-path/path-matcher.ts';
import { httpLimits } from './limits.ts';
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

const exposedHeaders = answerHeadersForPages.join(', ');

/**
 * Answers to pages of other origins: on /v1 and /v2 only, for origins that a rule allows, without credentials of the
 * browser (docs/rules/http.md "Cross-origin requests"). Requests without an Origin cost one comparison.
 */
export class Cors {
  readonly #origins: Pick<AllowedOrigins, 'allows'>;
  readonly #named: NamedOperators;
  readonly #preflightHeaders: readonly string[];

  constructor(
    origins: Pick<AllowedOrigins, 'allows'>,
    directory: ReadModel,
    operations: readonly Operation[],
  ) {
    this.#origins = origins;
    const open = operations.filter(({ path }) => answersPages(path));
    this.#named = new NamedOperators(directory, open);
    const methods = [...new Set(['HEAD', ...open.map(({ method }) => method)])].sort();
    this.#preflightHeaders = [
      'Access-Control-Allow-Methods',
      methods.join(', '),
      'Access-Control-Allow-Headers',
      requestHeadersOfPages.join(', '),
      'Access-Control-Max-Age',
      String(httpLimits.preflightSeconds),
    ];
  }

  /** Adds to whatever the answer will be. */
  mark({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const { origin } = headers;
    if (origin === undefined || !answersPages(url as string)) return;
    const allowed = this.#origins.allows(origin, this.#named.ofTarget(url as string));
    for (const [name, value] of headersFor(origin, allowed)) response.setHeader(name, value);
  }

  /** The lines of an answer on the fast path, to a request with these inputs in its path. */
  linesFor(origin: string, inputs: PathInputs): string {
    return headersFor(origin, this.#origins.allows(origin, this.#named.ofInputs(inputs)))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  /** Answers a preflight, after `mark`. @returns false where the request is none */
  answerPreflight({ method, url, headers }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers;
    if (method !== 'OPTIONS' || origin === undefined || !answersPages(url as string)) return false;
    if (headers['access-control-request-method'] === undefined) return false;
    if (this.#origins.allows(origin, this.#named.ofTarget(url as string)))
      sendReply(response, { status: 204, headers: this.#preflightHeaders });
    else sendError(response, new PublicError('origin_forbidden'));
    return true;
  }
}

function headersFor(origin: string, isAllowed: boolean): readonly (readonly [string, string])[] {
  if (!isAllowed) return [vary];
  return [vary, ['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', exposedHeaders]];
}

const vary = ['Vary', 'Origin'] as const;

/** Whether pages of other origins may ever read the answers of this path. */
export function answersPages(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/v2/');
}
