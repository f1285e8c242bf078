import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ndjsonMediaType } from '../../contracts/bodies/body-formats.ts';
import type { ErrorCode } from '../base/errors.ts';
import { isMediaType } from '../base/media-type.ts';
import { httpLimits } from './limits.ts';

/** Headers of which a second one would change what the first one means: they say who asks, and what for. */
const singleHeaders = new Set([
  'authorization',
  'content-type',
  'host',
  'idempotency-key',
  'if-match',
  'x-key-id',
  'x-nonce',
  'x-player-token',
  'x-signature',
  'x-timestamp',
]);
/** Where an identity provider sends a browser back to. */
const isReturn = /^\/auth\/admin\/oidc\/[^/?]+\/callback\?/;
const beyondAscii = /[\u0080-\uffff]/;
/** By length: most names need not be looked at. */
const hasSingleHeader = new Uint8Array(64);
for (const name of singleHeaders) hasSingleHeader[name.length] = 1;

/** What is wrong with a request before its route is looked for; null: nothing. */
export function transportFault(request: IncomingMessage): ErrorCode | null {
  const { rawHeaders } = request;
  const target = request.url as string;
  const { urlBytes, returnUrlBytes } = httpLimits;
  if (target.length > (isReturn.test(target) ? returnUrlBytes : urlBytes)) return 'uri_too_long';
  if (!readTarget(request)) return 'malformed_http';
  if (rawHeaders.length > httpLimits.headerFields * 2) return 'headers_too_large';
  if (request.httpVersionMajor !== 1) return 'malformed_http';
  if (request.headers.host === undefined && request.httpVersion === '1.1') return 'malformed_http';
  if (hasUnknownFraming(request)) return 'malformed_http';
  return headerFault(request);
}

/**
 * Makes an absolute target, as proxies get them, a path (RFC 9112, 3.2.2). `*` is for OPTIONS, and a fragment
 * never leaves its client. false: it is no target.
 */
function readTarget(request: IncomingMessage): boolean {
  const target = request.url as string;
  if (target.includes('#')) return false;
  if (target.startsWith('/')) return true;
  if (target === '*') return request.method === 'OPTIONS';
  const absolute = /^https?:\/\/[^/?]+/i.exec(target);
  if (absolute === null) return false;
  const path = target.slice(absolute[0].length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  return true;
}

/** A body that could end elsewhere for another reader, or an expectation that is not met. */
function hasUnknownFraming({ headers, httpVersionMinor }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked')) return true;
  const { expect } = headers;
  return expect !== undefined && httpVersionMinor !== 0 && expect.toLowerCase() !== '100-continue';
}

/** What is wrong with the announcement of a body, before the caller is authenticated. */
export function bodyFault(
  request: IncomingMessage,
  bodyBytes: number,
  takes: 'json' | 'json or csv' | 'lines' = 'json',
): ErrorCode | null {
  if (!hasBody(request)) return null;
  const { headers } = request;
  const length = headers['content-length'];
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return 'unsupported_media_type';
  const type = headers['content-type'];
  const isTaken =
    takes === 'lines'
      ? isMediaType(type, ndjsonMediaType, { charset: utf8 })
      : isJson(type) || (takes === 'json or csv' && isCsv(type));
  if (!isTaken) return 'unsupported_media_type';
  return length !== undefined && Number(length) > bodyBytes ? 'payload_too_large' : null;
}

/** Whether bytes follow the head, as it says. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

const utf8 = /^utf-?8$/i;

function isJson(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' || isMediaType(contentType, 'application/json', { charset: utf8 })
  );
}

/** RFC 4180, 3; bytes say which UTF it is. */
const csvParameters = { charset: /^(?:utf-?(?:8|16)|us-ascii)$/i, header: /^present$/i };

export function isCsv(contentType: string | undefined): boolean {
  return isMediaType(contentType, 'text/csv', csvParameters);
}

/** Node reads headers as Latin-1; names are UTF-8, as in a body, or one name would be two. */
function headerFault({ rawHeaders, headers }: IncomingMessage): ErrorCode | null {
  let seen: string[] | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (hasSingleHeader[name.length] !== 1) continue;
    const lower = name.toLowerCase();
    if (!singleHeaders.has(lower)) continue;
    if (seen === null) seen = [lower];
    else if (seen.includes(lower)) return 'duplicate_header';
    else seen.push(lower);
    const value = rawHeaders[index + 1]!;
    if (!beyondAscii.test(value)) continue;
    const bytes = Buffer.from(value, 'latin1');
    if (!isUtf8(bytes)) return 'malformed_http';
    headers[lower] = bytes.toString('utf8');
  }
  return null;
}
