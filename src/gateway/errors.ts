import { type ErrorCode, errorStatus } from '../contracts/errors.ts';

/**
 * The only place that turns an error into an answer (docs/rules/http.md "Errors"). An operation throws a PublicError. Any
 * other exception is a bug, and the caller gets internal_error.
 */
export class PublicError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  /** The address that exceeded its limit; null: the refusal is not by address. */
  readonly limitedAddress: string | null;

  /** `message` empty: the code's text. It must not repeat input, except the name of an unknown field. */
  constructor(
    code: ErrorCode,
    message = '',
    options: { readonly retryAfterSeconds?: number; readonly limitedAddress?: string } = {},
  ) {
    // A refusal is an expected answer: a flood of refusals must not pay for stack traces that nobody reads.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message === '' ? messages[code] : message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'PublicError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? defaultRetryAfterSeconds(code);
    this.limitedAddress = options.limitedAddress ?? null;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  /** The body, exactly `{status_code, code, message}`. */
  body(): string {
    return errorBody(this.code, this.message);
  }
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}

/** The text of a code. */
export function messageOf(code: ErrorCode): string {
  return messages[code];
}

export function errorBody(code: ErrorCode, message: string = messages[code]): string {
  return `{"status_code":${errorStatus[code]},"code":"${code}","message":${JSON.stringify(message)}}`;
}

/** A person has to act first, so early retries change nothing. */
const stoppedLaneRetryAfterSeconds = 60;

/** Only 429, 503 and "in progress" carry Retry-After. */
function defaultRetryAfterSeconds(code: ErrorCode): number | null {
  if (code === 'instance_unavailable') return stoppedLaneRetryAfterSeconds;
  const status = errorStatus[code];
  return status === 429 || status === 503 || code === 'idempotency_in_progress' ? 1 : null;
}

const messages: Readonly<Record<ErrorCode, string>> = {
  malformed_http: 'The request is not valid HTTP.',
  invalid_json: 'The body is not valid JSON in UTF-8.',
  duplicate_json_key: 'An object in the body has the same key twice.',
  payload_too_deep: 'The body is nested too deeply.',
  duplicate_header: 'A header that may occur once occurs twice.',
  invalid_request: 'The body does not have the documented shape.',
  invalid_parameter: 'A path or query parameter is missing or not valid.',
  invalid_identifier: 'An identifier is not well-formed.',
  csv_invalid: 'The CSV data is not valid.',
  unauthenticated: 'A bearer token is required.',
  token_expired: 'The token has expired.',
  token_revoked: 'The token has been revoked.',
  invalid_credentials: 'The user name or password is wrong.',
  signature_invalid: 'The signature does not match.',
  timestamp_out_of_window: 'The timestamp of the signature is too far from the current time.',
  replay_detected: 'The signed request was seen before.',
  player_token_required: 'A player token is required.',
  player_token_invalid: 'The player token is not valid.',
  feed_token_invalid: 'The token is not valid for this feed.',
  forbidden: 'The caller may not do this.',
  brand_forbidden: 'The caller may not act for this brand.',
  owner_disabled: 'The operator or brand is disabled.',
  player_mismatch: 'The token belongs to another player.',
  actor_mismatch: 'The named user is not the caller.',
  approval_by_proposer: 'The person who proposed a change cannot approve it.',
  origin_forbidden: 'The origin is not allowed.',
  route_not_found: 'This path does not exist.',
  operator_not_found: 'There is no such operator.',
  brand_not_found: 'There is no such brand.',
  segment_not_found: 'There is no such segment.',
  source_not_found: 'There is no such source.',
  instance_not_found: 'There is no such instance.',
  pot_not_found: 'There is no such pot.',
  jackpot_not_found: 'No jackpot applies to this source.',
  template_not_found: 'There is no such template.',
  approval_not_found: 'There is no such approval.',
  user_not_found: 'There is no such user.',
  method_not_allowed: 'This path does not support the method.',
  request_timeout: 'The request did not arrive in time.',
  payload_too_large: 'The body is too large.',
  uri_too_long: 'The URL is too long.',
  unsupported_media_type: 'The body must be application/json.',
  upgrade_required: 'This path accepts websocket connections only.',
  headers_too_large: 'The header block is too large.',
  idempotency_in_progress: 'The first request with this idempotency key is still in progress.',
  version_conflict: 'The instance has changed since that version.',
  already_exists: 'An object with this id exists already.',
  switch_in_progress: 'A model switch is in progress.',
  approval_mismatch: 'The request differs from the one that was proposed.',
  approval_expired: 'The approval has expired.',
  owner_has_dependents: 'Other objects still depend on it.',
  bootstrap_closed: 'The first administrator exists already.',
  amount_negative: 'The amount is negative.',
  amount_precision: 'The amount has too many digits to be exact. Send a string with at most 8 decimals.',
  amount_out_of_range: 'The amount is out of range.',
  currency_unknown: 'The currency is unknown.',
  currency_not_supported: 'The currency is not supported here.',
  currency_mismatch: 'The currencies differ.',
  rate_invalid: 'The currency rate is missing, not valid or too old.',
  pot_limit_exceeded: 'The value is above the maximum of the pot.',
  pot_empty: 'The pot is empty.',
  idempotency_key_reused: 'The idempotency key was used for a different request.',
  contribution_limit: 'The contribution limit leaves nothing to contribute.',
  debit_refused: 'The wallet refused the debit.',
  instance_not_active: 'The instance is not active.',
  opt_in_required: 'The player has not opted in.',
  brand_not_allowed: 'The brand is not allowed on this instance.',
  country_not_allowed: 'The country is not allowed on this instance.',
  country_invalid: 'The country is not an ISO 3166 code.',
  wager_below_minimum: 'The wager or contribution is below the minimum.',
  trigger_not_supported: 'The pot does not support an external trigger.',
  not_mapped: 'The jackpot is not assigned there.',
  transfer_rules_invalid: 'The pot transfer rules are not valid.',
  reason_required: 'A reason is required.',
  invalid_transition: 'The instance cannot make this transition.',
  config_invalid: 'The configuration is not valid.',
  group_mismatch: 'The instances belong to different groups.',
  secret_too_weak: 'The secret is too weak.',
  callback_address_not_allowed: 'The origin of the callback address is not registered.',
  endpoint_not_allowed: 'The endpoint is not allowed.',
  cors_pattern_invalid: 'The pattern is not valid.',
  cors_mode_unknown: 'The match mode is unknown.',
  cors_limit: 'There are too many rules.',
  player_limit: 'The operator has reached its limit of players.',
  rate_limited: 'Too many requests.',
  too_many_attempts: 'Too many failed attempts.',
  too_many_connections: 'Too many connections.',
  internal_error: 'An internal error occurred.',
  overloaded: 'The service is overloaded.',
  shutting_down: 'The service is shutting down.',
  storage_unavailable: 'The request was not stored.',
  wallet_unavailable: 'The wallet cannot be reached.',
  audit_unavailable: 'The audit log cannot be written.',
  instance_suspended: 'The instance is suspended.',
  outcome_unknown: 'The outcome is unknown. Repeat the request with the same idempotency key.',
  instance_unavailable:
    'This jackpot is unavailable until an operator of the service repairs its lane. Repeating does not help.',
};
