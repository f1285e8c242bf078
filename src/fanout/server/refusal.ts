import { randomUUID } from 'node:crypto';
import { type ErrorCode, errorStatus } from '../../contracts/errors/codes.ts';
import type { HttpAnswer } from '../engines/engine.ts';

const messages: Partial<Record<ErrorCode, string>> = {
  feed_token_invalid: 'The token of the feed is missing or not valid.',
  owner_disabled: 'The operator or brand is disabled.',
  invalid_parameter: 'The query input currency is missing or not valid.',
  currency_unknown: 'There is no such currency.',
  currency_not_supported: 'Values cannot be shown in this currency.',
  origin_forbidden: 'Pages of this origin may not open the feed.',
  too_many_attempts: 'Too many tokens of this address were not valid.',
  too_many_connections: 'Too many feed connections of this player are open.',
  wallet_unavailable: 'The wallet of the brand does not answer.',
  overloaded: 'Too many feed connections are open.',
  storage_unavailable: 'The feed is not ready yet.',
  shutting_down: 'The service is shutting down.',
  route_not_found: 'There is no such route.',
  upgrade_required: 'This route is a websocket of version 13.',
  malformed_http: 'The handshake is not valid (RFC 6455, 4.2.1).',
  internal_error: 'Something went wrong.',
};

/** The answer to an HTTP request of the feeds' port that is refused (docs/rules/http.md "Errors"). */
export function refusal(code: ErrorCode, retryAfterSeconds = 1): HttpAnswer {
  const status = errorStatus[code];
  const headers: [name: string, value: string][] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Request-Id', randomUUID()],
  ];
  if (status === 429 || status === 503) headers.push(['Retry-After', String(retryAfterSeconds)]);
  if (status === 426) headers.push(['Upgrade', 'websocket'], ['Sec-WebSocket-Version', '13']);
  const body = JSON.stringify({ status_code: status, code, message: messages[code] ?? code });
  return { status, reason: reasonPhrases[status] ?? 'Error', headers, body };
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Content',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
