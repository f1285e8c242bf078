import type { IncomingHttpHeaders } from 'node:http';
import type { ContributionRoute, RawParams } from '../contribution-route.ts';
import { httpLimits } from '../limits.ts';

/** The head of a request that the wire takes: everything about it is plain. */
export interface WireHead {
  readonly route: ContributionRoute;
  readonly params: RawParams;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

const requestLine = /^POST (\/[!"$&-~]*) HTTP\/1\.1$/;
const headerLine = /^([A-Za-z][A-Za-z0-9-]*): ?([!-~](?:[ -~]*[!-~])?)$/;
/** Headers that give a request a meaning beyond "this body, to that path": Node's parser knows them all. */
const special = new Set([
  'connection',
  'content-encoding',
  'expect',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-key-id',
  'x-signature',
]);

/**
 * Reads the head of a contribution: the bytes before the empty line, of RFC 9112's grammar the strictest part only. null:
 * it is for Node's server, be it right, wrong or merely unusual. So what is read here and by a proxy before us can mean
 * one thing only.
 */
export function readHead(text: string, routes: readonly ContributionRoute[]): WireHead | null {
  const lines = text.split('\r\n');
  if (lines.length > httpLimits.headerFields + 1) return null;
  const path = requestLine.exec(lines[0] as string)?.[1];
  if (path === undefined || path.length > httpLimits.urlBytes) return null;
  const headers = readHeaders(lines);
  if (headers === null || headers.host === undefined || !isPlainJson(headers['content-type'])) return null;
  const length = headers['content-length'];
  if (length === undefined || !/^[1-9]\d{0,6}$/.test(length)) return null;
  const bodyBytes = Number(length);
  for (const route of routes) {
    const params = route.match(path);
    if (params !== null) return bodyBytes > route.mostBytes ? null : { route, params, headers, bodyBytes };
  }
  return null;
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
