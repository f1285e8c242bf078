import type { components } from './generated/openapi.ts';
import type { OpenContribution } from './stream-types.ts';

type Errors = components['schemas'];

/** Codes of the API when this SDK was generated. The list only grows, so treat other codes like others of their status. */
export type ApiErrorCode = Errors[keyof Errors & `Error${number}`]['code'];

/**
 * `no_answer`: the connection failed, or the time was over. `unexpected_answer`: something on the way answered that is
 * not Potstream, for example a proxy.
 */
export type ErrorCode = ApiErrorCode | 'no_answer' | 'unexpected_answer' | (string & {});

export interface ErrorDetails {
  /** Null without an answer. */
  readonly status_code: number | null;
  readonly code: ErrorCode;
  readonly message: string;
  /** `X-Request-Id` of the answer, for questions to the people who run Potstream. */
  readonly request_id: string | null;
  /** How long to wait before another request; null where the answer says nothing. */
  readonly retry_after_ms: number | null;
  readonly cause?: unknown;
}

/** A request that was refused or not answered. Decide by `code`: messages may change. */
export class PotstreamError extends Error {
  readonly status_code: number | null;
  readonly code: ErrorCode;
  readonly request_id: string | null;
  readonly retry_after_ms: number | null;

  constructor(details: ErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'PotstreamError';
    this.status_code = details.status_code;
    this.code = details.code;
    this.request_id = details.request_id;
    this.retry_after_ms = details.retry_after_ms;
  }
}

/** The log-in failed, so the request was not sent. */
export class LoginError extends PotstreamError {
  constructor(error: PotstreamError) {
    super(error);
    this.name = 'LoginError';
    this.cause = error.cause;
  }
}

/**
 * `not_applied`: the contribution had no effect. `unknown`: it may have been applied. Send it again with the same
 * `idempotency_key` and the same content until it is answered or refused; with another key it could count twice.
 */
export type ContributionOutcome = 'not_applied' | 'unknown';

/** A contribution without a result. */
export class ContributionError extends PotstreamError {
  readonly idempotency_key: string;
  readonly outcome: ContributionOutcome;

  constructor(error: PotstreamError, idempotencyKey: string, outcome: ContributionOutcome) {
    super(error);
    this.name = 'ContributionError';
    this.cause = error.cause;
    this.idempotency_key = idempotencyKey;
    this.outcome = outcome;
  }
}

/**
 * A stream of contributions that ended before its input. Everything that was answered has been yielded before it is thrown.
 * Its code is that of the API's last answer, `no_answer`, `unexpected_answer`, or `aborted` by your signal.
 */
export class StreamError<Ref = unknown> extends PotstreamError {
  /** Contributions with a result. */
  readonly answered: number;
  /** Contributions that were taken from the input and have none. */
  readonly open: readonly OpenContribution<Ref>[];

  constructor(error: PotstreamError, answered: number, open: readonly OpenContribution<Ref>[]) {
    super(error);
    this.name = 'StreamError';
    this.cause = error.cause ?? error;
    this.answered = answered;
    this.open = open;
  }
}

const maxQuotedCharacters = 200;

/** The error that an answer reports. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, text: string): PotstreamError {
  const answer = {
    status_code: response.status,
    request_id: response.headers.get('x-request-id'),
    retry_after_ms: retryAfterMs(response.headers.get('retry-after')),
  };
  const body = errorBody(text);
  if (body !== null && body.status_code === response.status)
    return new PotstreamError({ ...answer, ...body });
  const message = `An answer that is not Potstream's: ${response.status} ${text.slice(0, maxQuotedCharacters)}`;
  return new PotstreamError({ ...answer, code: 'unexpected_answer', message });
}

/** The error of a request that was not answered, or the one that is given. */
export function noAnswer(cause: unknown): PotstreamError {
  if (cause instanceof PotstreamError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `Potstream did not answer: ${reason}`;
  return new PotstreamError({
    status_code: null,
    code: 'no_answer',
    message,
    request_id: null,
    retry_after_ms: null,
    cause,
  });
}

function errorBody(text: string): { status_code: number; code: string; message: string } | null {
  try {
    const { status_code, code, message } = JSON.parse(text);
    const isError =
      typeof status_code === 'number' && typeof code === 'string' && typeof message === 'string';
    return isError ? { status_code, code, message } : null;
  } catch {
    return null;
  }
}

/** Seconds, or a date as proxies may write it. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
