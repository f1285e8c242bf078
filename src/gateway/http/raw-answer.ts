import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PublicError } from '../base/errors.ts';
import { nextRequestId } from '../base/request-id.ts';
import { discard, lingerMs } from './answer.ts';

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
  endGently(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Ends our side and discards for a moment what still comes: closing over unread bytes resets the connection
 * and may lose the last answer. A client that keeps sending is cut (docs/rules/http.md "Connections").
 */
export function endGently(socket: Duplex, last?: string): void {
  socket.end(last);
  socket.resume();
  // Node's server lets go of a socket with another listener: it has to read again before.
  setImmediate(() => discard(socket, () => socket.destroy()));
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
