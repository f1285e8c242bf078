import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PublicError } from '../errors.ts';
import { nextRequestId } from './answer.ts';

/** Answers on a bare socket, where there is no response object, and closes it. */
export function sendRawError(socket: Duplex, error: PublicError, extra: readonly string[] = []): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = error.body();
  const lines = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `X-Request-Id: ${nextRequestId()}`,
    ...extra,
  ];
  if (error.retryAfterSeconds !== null) lines.push(`Retry-After: ${error.retryAfterSeconds}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
