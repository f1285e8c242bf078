import type { IncomingHttpHeaders } from 'node:http';
import { httpLimits } from '../limits.ts';
import type { FastPathRoute } from './route.ts';

/** The head of a plain request, which the fast path takes. */
export interface FastPathHead {
  readonly route: FastPathRoute;
  readonly inputs: unknown;
  /** All but Content-Length. */
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
  /** The page that asks; null: none does, or none may read the answer. */
  readonly origin: string | null;
}

const requestLine = /^(GET|POST) (\/[!"$&-~]*) HTTP\/1\.1$/;
const headerLine = /^([A-Za-z][A-Za-z0-9-]*): ?([!-~](?:[ -~]*[!-~])?)$/;
/** Headers that give a request a meaning beyond "this body, to that path": the common way knows them all. */
const special = new Set([
  'connection',
  'content-encoding',
  'expect',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-idempotency-key',
  'x-key-id',
  'x-nonce',
  'x-signature',
]);

/**
 * Reads the head of a request to one of the routes, by a strict part of RFC 9112, so that it means the same
 * to a proxy before us. null: it is for Node's server, whether right, wrong or merely unusual.
 */
export function readHead(text: string, routes: readonly FastPathRoute[]): FastPathHead | null {
  const lines = text.split('\r\n');
  if (lines.length > httpLimits.headerFields + 1) return null;
  const asked = readRequestLine(lines[0] as string, routes);
  if (asked === null) return null;
  const { route, inputs } = asked;
  const headers = readHeaders(lines);
  if (headers === null || headers.host === undefined) return null;
  const bodyBytes = bodyBytesOf(headers, route.maxBytes);
  if (bodyBytes === null) return null;
  delete headers['content-length'];
  const origin = route.answersPages ? (headers.origin ?? null) : null;
  return { route, inputs, headers, bodyBytes, origin };
}

/** The route that a request line asks for, with its inputs; null as readHead. */
export function readRequestLine(
  line: string,
  routes: readonly FastPathRoute[],
): Pick<FastPathHead, 'route' | 'inputs'> | null {
  const [, method, target] = requestLine.exec(line) ?? [];
  if (target === undefined || target.length > httpLimits.urlBytes) return null;
  for (const route of routes) {
    if (route.method !== method) continue;
    const inputs = route.match(target);
    if (inputs !== null) return { route, inputs };
  }
  return null;
}

/** null: it has none where there must be one or the reverse, or too much, or it is no plain JSON. */
function bodyBytesOf(headers: IncomingHttpHeaders, maxBytes: number): number | null {
  const length = headers['content-length'];
  if (maxBytes === 0) return length === undefined ? 0 : null;
  if (length === undefined || !/^[1-9]\d{0,6}$/.test(length)) return null;
  if (!isPlainJson(headers['content-type'])) return null;
  return Number(length) > maxBytes ? null : Number(length);
}

function readHeaders(lines: readonly string[]): IncomingHttpHeaders | null {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let index = 1; index < lines.length; index += 1) {
    const match = headerLine.exec(lines[index] as string);
    if (match === null) return null;
    const name = (match[1] as string).toLowerCase();
    const value = match[2] as string;
    if (name in headers) return null;
    if (special.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return null;
    headers[name] = value;
  }
  return headers;
}

function isPlainJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || contentType === 'application/json; charset=utf-8';
}
