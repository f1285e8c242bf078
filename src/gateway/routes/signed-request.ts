import type { IncomingMessage } from 'node:http';
import type { Access } from '../../access/access.ts';
import type { Principal } from '../../access/rights/principal.ts';
import { LogError } from '../../ports.ts';
import type { Authentication } from '../../reference/operation-description.ts';
import { PublicError } from '../base/errors.ts';
import { authenticate } from './authenticate.ts';

/** A nonce alone is not one of anything. */
const signatureHeaders = ['x-key-id', 'x-signature', 'x-nonce'];

/** Whether the request is signed, which is known before its body is read; only services sign. */
export function isSigned(request: IncomingMessage, authentication: Authentication): boolean {
  const { headers } = request;
  if (signatureHeaders.every((name) => headers[name] === undefined)) return false;
  return authentication.kind !== 'none' && authentication.kind !== 'administrator';
}

/**
 * The service user who signed the request (docs/rules/http.md "Callers"). A token beside the signature must be of the
 * same user. @throws PublicError
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
