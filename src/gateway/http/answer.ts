import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { writeJson } from '../../lib/json.ts';
import { PublicError } from '../base/errors.ts';
import type { Reply } from '../base/reply.ts';
import { nextRequestId } from '../base/request-id.ts';
import { bodyLost } from './read-body.ts';
import { endRequest } from './request-observation.ts';

/** Headers of every answer that is no page: nothing of ours is to be sniffed, framed, cached or executed. */
export const guardHeaders = [
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  'X-Frame-Options',
  'DENY',
] as const;

/** For an answer that says itself how it may be cached. */
const guardOfKept = guardHeaders.toSpliced(guardHeaders.indexOf('Cache-Control'), 2);

const idsOfAnswers = new WeakMap<ServerResponse, string>();

/** The id that the answer will carry: the audit trail names it before the answer is written. */
export function requestIdOf(response: ServerResponse): string {
  const id = idsOfAnswers.get(response) ?? nextRequestId();
  idsOfAnswers.set(response, id);
  return id;
}

/** How long a caller may go on sending after the answer that ends its connection. */
export const lingerMs = 2_000;
/** And how much: more of it costs us as much as it costs the caller. */
const lingerBytes = 1024 * 1024;

/** Answers by status since the start, for the metrics. */
export const answersByStatus = new Map<number, number>();

export function sendReply(response: ServerResponse, reply: Reply): void {
  send(response, reply.status, reply.headers, reply.bytes ?? replyText(reply));
}

export function replyText({ text, body }: Reply): string | null {
  return text ?? (body === undefined ? null : writeJson(body));
}

/** Answers as sendReply with the fewest headers that are safe for JSON, and takes the reply's over. */
export function sendBareReply(response: ServerResponse, reply: Reply): void {
  const headers = reply.headers as string[];
  headers.push('X-Content-Type-Options', 'nosniff', 'X-Request-Id', nextRequestId());
  finish(response, reply.status, headers, reply.text ?? null);
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
  readonly closes: boolean;
  /** false: it is a bug of ours, which left as internal_error and has to be logged. */
  readonly known: boolean;
}

export function errorAnswer(
  error: unknown,
  extra: readonly string[] = [],
  requestId: string = nextRequestId(),
): ErrorAnswer {
  const known = error instanceof PublicError;
  const answer = known ? error : new PublicError('internal_error');
  const headers = [...guardHeaders, 'X-Request-Id', requestId, ...extra];
  if (answer.retryAfterSeconds !== null) headers.push('Retry-After', String(answer.retryAfterSeconds));
  // The rest of the body is not worth reading.
  const closes = answer.status === 413 || answer.status === 408;
  if (closes) headers.push('Connection', 'close');
  if (answer.status === 401) headers.push('WWW-Authenticate', 'Bearer');
  return { status: answer.status, headers, text: answer.body(), closes, known };
}

/** @returns false where the error is a bug of ours: it left as internal_error and has to be logged. */
export function sendError(response: ServerResponse, error: unknown, extra: readonly string[] = []): boolean {
  if (response.headersSent) {
    response.destroy();
    return error instanceof PublicError;
  }
  const answer = errorAnswer(error, extra, requestIdOf(response));
  const sendsOn = !response.req.complete && (answer.closes || extra.includes('close'));
  finish(response, answer.status, [...answer.headers], answer.text, sendsOn);
  return answer.known;
}

export function countAnswer(status: number): void {
  answersByStatus.set(status, (answersByStatus.get(status) ?? 0) + 1);
}

function send(
  response: ServerResponse,
  status: number,
  headers: readonly string[] | undefined,
  body: string | Buffer | null,
): void {
  const guard = headers?.includes('Cache-Control') === true ? guardOfKept : guardHeaders;
  const all = [...guard, 'X-Request-Id', requestIdOf(response)];
  if (headers !== undefined) all.push(...headers);
  finish(response, status, all, body);
}

function finish(
  response: ServerResponse,
  status: number,
  headers: string[],
  body: string | Buffer | null,
  sendsOn = false,
): void {
  countAnswer(status);
  endRequest(response, status);
  if (body !== null) {
    headers.push('Content-Type', 'application/json; charset=utf-8');
    headers.push('Content-Length', String(Buffer.byteLength(body)));
  } else if (status !== 204 && status !== 304) {
    headers.push('Content-Length', '0');
  }
  response.writeHead(status, headers);
  if (!sendsOn) {
    const { req } = response;
    if (!req.complete) discard(req, () => req.socket.destroy());
    response.end(body ?? undefined);
    return;
  }
  response.write(body ?? '');
  endAfterBody(response);
}

/**
 * Writes the answer at once and ends the connection after the body, whose bytes go nowhere, or a moment: a
 * caller that is cut off while it sends does not read why.
 */
function endAfterBody(response: ServerResponse): void {
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.req.once('end', end).once('close', end).once(bodyLost, end);
  discard(response.req, end);
}

/** Reads on, and forgets it; `tooMuch` is called once the sender has sent more than it may. */
export function discard(stream: Readable, tooMuch: () => void): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= lingerBytes) return;
    stream.off('data', count);
    tooMuch();
  };
  stream.on('data', count).resume();
}
