import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AllowedOrigins } from '../../network/allowed-origins.ts';
import { PublicError } from '../base/errors.ts';
import { sendError, sendReply } from './answer.ts';
import type { PathInputs } from './fast-path/path-matcher.ts';
import { httpLimits } from './limits.ts';
import { isPublicPath } from './places.ts';

/** The operators that a request names; null: none. */
interface NamedOperators {
  ofTarget(target: string): readonly string[] | null;
  ofInputs(inputs: PathInputs): readonly string[] | null;
}

/** What pages may do where a rule allows their origin. */
interface PagePermissions {
  readonly methods: readonly string[];
  readonly requestHeaders: readonly string[];
  /** Headers of answers, beside those that need no permission. */
  readonly answerHeaders: readonly string[];
}

/**
 * Answers pages of other origins: on /v1 and /v2, for origins that a rule allows, without the browser's
 * credentials (docs/rules/http.md "Cross-origin requests"). Requests without an Origin cost one comparison.
 */
export class Cors {
  readonly #origins: Pick<AllowedOrigins, 'allows'>;
  readonly #named: NamedOperators;
  readonly #preflightHeaders: readonly string[];
  readonly #exposedHeaders: string;

  constructor(
    origins: Pick<AllowedOrigins, 'allows'>,
    named: NamedOperators,
    { methods, requestHeaders, answerHeaders }: PagePermissions,
  ) {
    this.#origins = origins;
    this.#named = named;
    this.#exposedHeaders = answerHeaders.join(', ');
    this.#preflightHeaders = [
      'Access-Control-Allow-Methods',
      methods.join(', '),
      'Access-Control-Allow-Headers',
      requestHeaders.join(', '),
      'Access-Control-Max-Age',
      String(httpLimits.preflightSeconds),
    ];
  }

  /** Adds to whatever the answer will be. */
  mark({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const { origin } = headers;
    if (isPublicPath(url as string)) {
      // Without a look at the origin: caches keep the answer for all.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Expose-Headers', this.#exposedHeaders);
      return;
    }
    if (origin === undefined || !answersPages(url as string)) return;
    const allowed = this.#origins.allows(origin, this.#named.ofTarget(url as string));
    for (const [name, value] of this.#headersFor(origin, allowed)) response.setHeader(name, value);
  }

  /** The lines of an answer on the fast path, to a request with these inputs in its path. */
  linesFor(origin: string, inputs: PathInputs): string {
    return this.#headersFor(origin, this.#origins.allows(origin, this.#named.ofInputs(inputs)))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  /** Answers a preflight, after `mark`. @returns false where the request is none */
  answerPreflight({ method, url, headers }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers;
    if (method !== 'OPTIONS' || origin === undefined || !answersPages(url as string)) return false;
    if (headers['access-control-request-method'] === undefined) return false;
    if (isPublicPath(url as string) || this.#origins.allows(origin, this.#named.ofTarget(url as string)))
      sendReply(response, { status: 204, headers: this.#preflightHeaders });
    else sendError(response, new PublicError('origin_forbidden'));
    return true;
  }

  #headersFor(origin: string, isAllowed: boolean): readonly (readonly [string, string])[] {
    if (!isAllowed) return [vary];
    return [
      vary,
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', this.#exposedHeaders],
    ];
  }
}

const vary = ['Vary', 'Origin'] as const;

/** Whether pages of other origins may ever read the answers of this path. */
export function answersPages(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith('/v2/');
}
