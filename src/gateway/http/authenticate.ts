import type { Access } from '../../access/access.ts';
import { mayEver } from '../../access/authorize.ts';
import { anonymous, type Principal } from '../../access/principal.ts';
import type { Verified } from '../../access/tokens.ts';
import { PublicError } from '../errors.ts';
import type { Authentication } from '../operation.ts';

/** The caller of the request. Synchronous for a known token: most requests cost no promise. */
export function authenticate(
  access: Access,
  authentication: Authentication,
  authorization: string | undefined,
): Principal | Promise<Principal> {
  if (authentication.kind === 'none') return anonymous;
  if (authentication.kind === 'service_or_player' && authorization === undefined) return anonymous;
  const token = bearerToken(authorization);
  if (authentication.kind === 'administrator') {
    return access.tokens.verifyAdministrator(token).then(principalOf);
  }
  return (
    access.tokens.knownService(token, 'operator') ??
    access.tokens.verifyService(token, 'operator').then(principalOf)
  );
}

/** Whether a role of the caller allows the operation at all; for which owners, the operation asks itself. */
export function checkRole(authentication: Authentication, principal: Principal): void {
  if (authentication.kind !== 'administrator' || principal.kind !== 'administrator') return;
  if (!mayEver(principal, authentication.action)) throw new PublicError('forbidden');
}

/** The header of the last request and its token: one service sends most of them, and a text that is known is looked up faster. */
let lastHeader = '';
let lastToken = '';

function bearerToken(authorization: string | undefined): string {
  if (authorization === lastHeader) return lastToken;
  if (authorization?.startsWith('Bearer ')) {
    lastHeader = authorization;
    lastToken = authorization.slice(7);
    return lastToken;
  }
  const match = /^bearer +([^ ]+)$/i.exec(authorization ?? '');
  if (match?.[1] === undefined) throw new PublicError('unauthenticated');
  return match[1];
}

function principalOf<P extends Principal>(verified: Verified<P>): P {
  if (typeof verified === 'string') throw new PublicError(verified);
  return verified;
}
