import { type ErrorCode, errorBody, errorStatus, messageOf } from '../../contracts/errors/codes.ts';

export type { ErrorCode } from '../../contracts/errors/codes.ts';
export { errorBody, isErrorCode, messageOf } from '../../contracts/errors/codes.ts';

/**
 * The only place that turns an error into an answer (docs/rules/http.md "Errors"). An operation throws a
 * PublicError. Any other exception is a bug, and the caller gets internal_error.
 */
export class PublicError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  /** Who exceeded a limit, an address or `operator …`; null: the refusal is not by a limit of a caller. */
  readonly limitedCaller: string | null;

  /** `message` empty: the code's text. It must not repeat input, except the name of an unknown field. */
  constructor(
    code: ErrorCode,
    message = '',
    options: { readonly retryAfterSeconds?: number; readonly limitedCaller?: string } = {},
  ) {
    // A flood of refusals, which are expected answers, must not pay for stack traces.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message === '' ? messageOf(code) : message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'PublicError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? defaultRetryAfterSeconds(code);
    this.limitedCaller = options.limitedCaller ?? null;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** The body, exactly `{status_code, code, message}`. */
  body(): string {
    return errorBody(this.code, this.message);
  }
}

/** A person has to act first, so early retries change nothing. */
const stoppedLaneRetryAfterSeconds = 60;

/** Only 429, 503 and "in progress" carry Retry-After. */
function defaultRetryAfterSeconds(code: ErrorCode): number | null {
  if (code === 'instance_unavailable') return stoppedLaneRetryAfterSeconds;
  const status = errorStatus[code];
  return status === 429 || status === 503 || code === 'idempotency_in_progress' ? 1 : null;
}
