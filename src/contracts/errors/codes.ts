/** Error codes with status and text, append only (docs/rules/http.md "Errors"). */
const errors = {
  malformed_http: [400, 'The request is not valid HTTP.'],
  invalid_json: [400, 'The body is not valid JSON in UTF-8.'],
  duplicate_json_key: [400, 'An object in the body has the same key twice.'],
  payload_too_deep: [400, 'The body is nested too deeply.'],
  duplicate_header: [400, 'A header that may occur once occurs twice.'],
  invalid_request: [400, 'The body does not have the documented shape.'],
  invalid_parameter: [400, 'A path or query parameter is missing or not valid.'],
  invalid_identifier: [400, 'An identifier is not well-formed.'],
  csv_invalid: [400, 'The CSV data is not valid.'],
  unauthenticated: [401, 'A bearer token is required.'],
  token_expired: [401, 'The token has expired.'],
  token_revoked: [401, 'The token has been revoked.'],
  invalid_credentials: [401, 'The user name or password is wrong.'],
  signature_invalid: [401, 'The signature does not match.'],
  timestamp_out_of_window: [401, 'The timestamp of the signature is too far from the current time.'],
  replay_detected: [401, 'The signed request was seen before.'],
  player_token_required: [401, 'A player token is required.'],
  player_token_invalid: [401, 'The player token is not valid.'],
  feed_token_invalid: [401, 'The token is not valid for this feed.'],
  forbidden: [403, 'The caller may not do this.'],
  brand_forbidden: [403, 'The caller may not act for this brand.'],
  owner_disabled: [403, 'The operator or brand is disabled.'],
  player_mismatch: [403, 'The token belongs to another player.'],
  actor_mismatch: [403, 'The named user is not the caller.'],
  approval_by_proposer: [403, 'The person who proposed a change cannot approve it.'],
  origin_forbidden: [403, 'The origin is not allowed.'],
  route_not_found: [404, 'This path does not exist.'],
  operator_not_found: [404, 'There is no such operator.'],
  brand_not_found: [404, 'There is no such brand.'],
  segment_not_found: [404, 'There is no such segment.'],
  source_not_found: [404, 'There is no such source.'],
  instance_not_found: [404, 'There is no such instance.'],
  pot_not_found: [404, 'There is no such pot.'],
  jackpot_not_found: [404, 'No jackpot applies to this source.'],
  template_not_found: [404, 'There is no such template.'],
  approval_not_found: [404, 'There is no such approval.'],
  user_not_found: [404, 'There is no such user.'],
  method_not_allowed: [405, 'This path does not support the method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  payload_too_large: [413, 'The body is too large.'],
  uri_too_long: [414, 'The URL is too long.'],
  unsupported_media_type: [
    415,
    'This operation does not take a body of this media type or coding; most take application/json.',
  ],
  upgrade_required: [426, 'This path accepts websocket connections only.'],
  headers_too_large: [431, 'The header block is too large.'],
  idempotency_in_progress: [409, 'The first request with this idempotency key is still in progress.'],
  version_conflict: [409, 'The instance has changed since that version.'],
  already_exists: [409, 'An object with this id exists already.'],
  switch_in_progress: [409, 'A model switch is in progress.'],
  approval_mismatch: [409, 'The request differs from the one that was proposed.'],
  approval_expired: [409, 'The approval has expired.'],
  owner_has_dependents: [409, 'Other objects still depend on it.'],
  bootstrap_closed: [409, 'The first administrator exists already.'],
  amount_negative: [422, 'The amount is negative.'],
  amount_precision: [422, 'The amount has more than 8 decimals.'],
  amount_out_of_range: [422, 'The amount is out of range.'],
  currency_unknown: [422, 'The currency is unknown.'],
  currency_not_supported: [422, 'The currency is not supported here.'],
  currency_mismatch: [422, 'The currencies differ.'],
  rate_invalid: [422, 'The currency rate is missing, not valid or too old.'],
  pot_limit_exceeded: [422, 'The value is above the maximum of the pot.'],
  pot_empty: [422, 'The pot is empty.'],
  idempotency_key_reused: [422, 'The idempotency key was used for a different request.'],
  contribution_limit: [422, 'The contribution limit leaves nothing to contribute.'],
  debit_refused: [422, 'The wallet refused the debit.'],
  instance_not_active: [422, 'The instance is not active.'],
  opt_in_required: [422, 'The player has not opted in.'],
  brand_not_allowed: [422, 'The brand is not allowed on this instance.'],
  country_not_allowed: [422, 'The country is not allowed on this instance.'],
  country_invalid: [422, 'The country is not an ISO 3166 code.'],
  wager_below_minimum: [422, 'The wager or contribution is below the minimum.'],
  trigger_not_supported: [422, 'The pot does not support an external trigger.'],
  not_mapped: [422, 'The jackpot is not assigned there.'],
  transfer_rules_invalid: [422, 'The pot transfer rules are not valid.'],
  reason_required: [422, 'A reason is required.'],
  invalid_transition: [422, 'The instance cannot make this transition.'],
  config_invalid: [422, 'The configuration is not valid.'],
  group_mismatch: [422, 'The instances belong to different groups.'],
  secret_too_weak: [422, 'The secret is too weak.'],
  callback_address_not_allowed: [422, 'The origin of the callback address is not registered.'],
  endpoint_not_allowed: [422, 'The endpoint is not allowed.'],
  cors_pattern_invalid: [422, 'The pattern is not valid.'],
  cors_mode_unknown: [422, 'The match mode is unknown.'],
  cors_limit: [422, 'There are too many rules.'],
  player_limit: [422, 'The operator has reached its limit of players.'],
  rate_limited: [429, 'Too many requests.'],
  too_many_attempts: [429, 'Too many failed attempts.'],
  too_many_connections: [429, 'Too many connections.'],
  internal_error: [500, 'An internal error occurred.'],
  overloaded: [503, 'The service is overloaded.'],
  shutting_down: [503, 'The service is shutting down.'],
  storage_unavailable: [503, 'The request was not stored.'],
  wallet_unavailable: [503, 'The wallet cannot be reached.'],
  audit_unavailable: [503, 'The audit log cannot be written.'],
  instance_suspended: [503, 'The instance is suspended.'],
  outcome_unknown: [504, 'The outcome is unknown. Repeat the request with the same idempotency key.'],
  instance_unavailable: [
    503,
    'This jackpot is unavailable until an operator of the service repairs its lane. Repeating does not help.',
  ],
  player_opted_out: [422, 'The player has opted out.'],
  approver_not_independent: [
    403,
    'One person may have both accounts: within 30 days one of them gave the other a password or rights, itself or through other accounts.',
  ],
  approvers_missing: [409, 'Nobody could approve what the rule would make wait.'],
  second_factor_required: [403, 'A code of your second factor is required.'],
  second_factor_invalid: [403, 'The code is wrong, or was used before.'],
  template_retired: [409, 'The template is retired: nothing new is made from it.'],
  simulation_not_found: [
    404,
    'There is no such simulation. What it found is kept for an hour, and not longer than its process lives.',
  ],
  identity_provider_not_found: [404, 'The operator has no identity provider.'],
} as const satisfies Readonly<Record<string, readonly [status: number, text: string]>>;

export type ErrorCode = keyof typeof errors;

/** The status of each code. */
export const errorStatus = Object.fromEntries(
  Object.entries(errors).map(([code, [status]]) => [code, status]),
) as { readonly [Code in ErrorCode]: (typeof errors)[Code][0] };

/** Whether a text is one of the codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}

/** The text of a code. */
export function messageOf(code: ErrorCode): string {
  return errors[code][1];
}

/** The JSON text of an error, exactly `{status_code, code, message}`. */
export function errorBody(code: ErrorCode, message: string = errors[code][1]): string {
  return `{"status_code":${errors[code][0]},"code":"${code}","message":${JSON.stringify(message)}}`;
}
