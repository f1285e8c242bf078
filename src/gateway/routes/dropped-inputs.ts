import type { IncomingMessage } from 'node:http';
import type { Operation } from '../api/operation/operation.ts';
import { PublicError } from '../base/errors.ts';
import { signatureHeaders } from './callers.ts';

/**
 * Headers that would make a change safe and that this one does not read: it is refused, because its caller
 * relies on them (docs/rules/http.md "Inputs that are not read").
 */
export function headersNotRead({ headers = [], authentication, limits }: Operation): readonly string[] {
  const signs = authentication.kind === 'service' || authentication.kind === 'service_or_player';
  return [
    'if-none-match',
    'if-unmodified-since',
    ...(headers.includes('If-Match') ? [] : ['if-match']),
    ...(headers.includes('Idempotency-Key') || limits?.stream === true ? ['x-idempotency-key'] : []),
    // One key for all lines.
    ...(limits?.stream === true ? ['idempotency-key'] : []),
    ...(signs ? [] : signatureHeaders),
  ];
}

/**
 * Refuses a query of a change without such inputs: a misspelt `dry_run` must not pass. @throws PublicError
 */
export function requireKnownQuery({ method, input }: Operation, { url = '' }: IncomingMessage): void {
  if (method === 'GET' || input.query !== undefined) return;
  const question = url.indexOf('?');
  if (question >= 0 && question < url.length - 1)
    throw new PublicError('invalid_parameter', 'This operation has no inputs in its query.');
}
