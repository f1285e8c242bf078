import type { IncomingMessage } from 'node:http';
import type { Access } from '../../access/access.ts';
import { mayEver } from '../../access/rights/authorize.ts';
import { anonymous, type Principal } from '../../access/rights/principal.ts';
import type { Verified } from '../../access/sessions/tokens.ts';
import { LogError } from '../../ports.ts';
import type { Authentication } from '../../reference/operation-description.ts';
import { PublicError } from '../base/errors.ts';

/** The caller of the request. Synchronous for a known token: most requests cost no promise. */
export function authenticate(
  access: Access,
  authentication: Authentication,
  authorization: string | undefined,
): Principal | Promise<Principal> {
  const { kind } = authentication;
  if (kind === 'none' || (authorization === undefined && mayShowNone(authentication))) return anonymous;
  const token = bearerToken(authorization);
  const { tokens } = access;
  if (kind === 'administrator') return tokens.verifyAdministrator(token).then(principalOf);
  const known = tokens.knownService(token, 'operator');
  if (known !== undefined) return known;
  if (kind === 'service' || kind === 'service_or_player')
    return tokens.verifyService(token, 'operator').then(principalOf);
  return verifyEither(access, token).then(principalOf);
}

/** Whether a caller without `Authorization` may be admitted: a player, or the public. */
export function mayShowNone({ kind }: Authentication): boolean {
  return kind === 'service_or_player' || kind === 'anyone';
}

/** Whether a role of the caller allows the operation at all; for which owners, the operation asks itself. */
export function checkRole(authentication: Authentication, principal: Principal): void {
  if (!('action' in authentication) || principal.kind !== 'administrator') return;
  if (!mayEver(principal, authentication.action)) throw new PublicError('forbidden');
}

/** A token is for one audience; of the other it is `unauthenticated`. */
async function verifyEither({ tokens }: Access, token: string): Promise<Verified<Principal>> {
  const administrator = await tokens.verifyAdministrator(token);
  return administrator === 'unauthenticated' ? tokens.verifyService(token, 'operator') : administrator;
}

/** The last header and its token: one service sends most, and a known text is looked up faster. */
let lastHeader = '';
let lastToken = '';

function bearerToken(authorization: string | undefined): string {
  if (authorization === lastHeader) return lastToken;
  const [, token] = /^bearer +([^ ]+)$/i.exec(authorization ?? '') ?? [];
  if (authorization === undefined || token === undefined) throw new PublicError('unauthenticated');
  lastHeader = authorization;
  lastToken = token;
  return token;
}

function principalOf<P extends Principal>(verified: Verified<P>): P {
  if (typeof verified === 'string') throw new PublicError(verified);
  return verified;
}

/** One of them makes a request a signed one, which needs all. */
export const signatureHeaders = ['x-key-id', 'x-nonce', 'x-signature'];

/** Whether the request is signed, which is known before its body is read; only services sign. */
export function isSigned(request: IncomingMessage, authentication: Authentication): boolean {
  const { headers } = request;
  if (signatureHeaders.every((name) => headers[name] === undefined)) return false;
  return authentication.kind !== 'none' && authentication.kind !== 'administrator';
}

/**
 * The service user who signed the request; a token beside the signature must be the same user's
 * (docs/rules/http.md "Callers"). @throws PublicError
 */
export async function authenticateSigned(
  access: Access,
  authentication: Authentication,
  request: IncomingMessage,
  body: Uint8Array | null,
): Promise<Principal> {
  const { headers } = request;
  if (access.signedRequests === null) throw new PublicError('signature_invalid');
  const { authorization } = headers;
  const bearer =
    authorization === undefined ? null : await authenticate(access, authentication, authorization);
  const signer = await access.signedRequests
    .verify({
      method: request.method as string,
      pathAndQuery: request.url as string,
      body: body ?? new Uint8Array(0),
      keyId: single(headers['x-key-id']),
      timestamp: single(headers['x-timestamp']),
      nonce: single(headers['x-nonce']),
      signature: single(headers['x-signature']),
    })
    .catch((error: unknown) => {
      throw error instanceof LogError ? new PublicError('storage_unavailable') : error;
    });
  if (typeof signer === 'string') throw new PublicError(signer);
  if (bearer !== null && (bearer.kind !== 'service' || bearer.subject !== signer.subject))
    throw new PublicError('signature_invalid');
  return signer;
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
