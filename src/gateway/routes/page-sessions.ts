import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isLoopbackAddress, isLoopbackAuthority } from '../../lib/loopback.ts';
import type { Operation } from '../api/operation/operation.ts';
import { PublicError } from '../base/errors.ts';
import { sessionTokenIn } from '../base/session-cookie.ts';
import type { ClientAddresses } from '../http/client-address.ts';
import { isCsv } from '../http/transport.ts';

/** What a proxy adds, so that a request with one of them did not come from a browser of this machine. */
const marksOfProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];
const byCookie = new WeakSet<IncomingMessage>();

/** Whether the cookie of a session counts here: for administrators, and never on /v1 or /v2. */
export function takesSessions({ authentication, path }: Operation): boolean {
  return 'action' in authentication && /^\/(?:config|auth\/admin)(?:\/|$)/.test(path);
}

/**
 * Takes the token of a page's session for the request's credential, if it names no other
 * (docs/rules/http.md "Sessions of pages"). @throws PublicError
 */
export function takeSession(
  request: IncomingMessage,
  { method }: Operation,
  addresses: ClientAddresses,
): void {
  const { headers } = request;
  if (headers.authorization !== undefined) return;
  const token = sessionTokenIn(headers.cookie);
  if (token === null || !isPrivate(request, addresses)) return;
  const site = headers['sec-fetch-site'];
  // What a page of another origin loads would answer to the person's rights, though it could not read it.
  if (method === 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none') return;
  if (method !== 'GET') {
    requireSameOrigin(request);
    if (isCsv(headers['content-type'])) throw new PublicError('unsupported_media_type');
  }
  headers.authorization = `Bearer ${token}`;
  byCookie.add(request);
}

/** Whether the caller's token came in the cookie. */
export function isByCookie(request: IncomingMessage): boolean {
  return byCookie.has(request);
}

/** For what sets the cookie. @throws PublicError forbidden */
export function requireOwnPage(request: IncomingMessage, addresses: ClientAddresses): void {
  if (!isPrivate(request, addresses))
    throw new PublicError('forbidden', 'Pages have sessions over TLS and on loopback only.');
  requireSameOrigin(request);
}

/** For a log-in that goes to another site and back: no script or frame asks for it. @throws PublicError */
export function requireNavigation(request: IncomingMessage, addresses: ClientAddresses): void {
  if (!isPrivate(request, addresses) || request.headers['sec-fetch-dest'] !== 'document')
    throw new PublicError('forbidden', 'A browser goes there, over TLS or on loopback.');
}

function requireSameOrigin({ headers }: IncomingMessage): void {
  if (headers['sec-fetch-site'] !== 'same-origin')
    throw new PublicError(
      'forbidden',
      'With the cookie of a session only a page of the same origin changes anything.',
    );
}

/** Whether the request came over TLS, which a trusted proxy may say, or from a browser of this machine. */
function isPrivate({ socket, headers }: IncomingMessage, addresses: ClientAddresses): boolean {
  if ((socket as Partial<TLSSocket>).encrypted === true) return true;
  const peer = addresses.peerOf(socket);
  const proto = headers['x-forwarded-proto'];
  if (peer.isProxy && typeof proto === 'string')
    return proto.split(',').every((each) => each.trim().toLowerCase() === 'https');
  const isOwn = isLoopbackAddress(peer.address) || socket.remoteAddress === '::1';
  return (
    isOwn &&
    headers.host !== undefined &&
    isLoopbackAuthority(headers.host) &&
    marksOfProxies.every((name) => headers[name] === undefined)
  );
}
