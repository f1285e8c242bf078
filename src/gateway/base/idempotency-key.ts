import { PublicError } from './errors.ts';

const goodKey = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;
const quotedKey = /^"(?:[^"\\]|\\["\\])*"$/u;

/**
 * The key of the header `Idempotency-Key`, with or without the quotes of
 * draft-ietf-httpapi-idempotency-key-header; null where it is absent. @throws PublicError
 */
export function keyOfHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const key = typeof header === 'string' ? unquoted(header) : '';
  if (!goodKey.test(key))
    throw new PublicError('invalid_request', 'The header Idempotency-Key is not valid.');
  return key;
}

/** The key of a contribution, in the header, in the body or the same in both. @throws PublicError */
export function oneKey(ofHeader: string | null, inBody: string | null | undefined): string | null {
  if (ofHeader !== null && (inBody ?? ofHeader) !== ofHeader)
    throw new PublicError('invalid_request', 'The idempotency_key differs from the header Idempotency-Key.');
  return ofHeader ?? inBody ?? null;
}

/** Empty: it begins as a quoted text and is none. */
function unquoted(header: string): string {
  if (!header.startsWith('"')) return header;
  return quotedKey.test(header) ? header.slice(1, -1).replace(/\\(.)/g, '$1') : '';
}
