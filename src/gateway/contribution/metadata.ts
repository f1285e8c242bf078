import { PublicError } from '../errors.ts';

const maxBytes = 8 * 1024;
const maxKeys = 256;

/** The JSON text of a metadata member, null where it is absent. Its depth was checked by the body's scan. */
export function metadataText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  // A short text needs no counting: a character takes at most 3 bytes of UTF-8, a key at least 5 characters of JSON.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    throw new PublicError('payload_too_large');
  }
  if (text.length >= maxKeys * 5 && keysWithin(value, maxKeys) < 0) {
    throw new PublicError('invalid_request', 'The metadata has too many keys.');
  }
  return text;
}

/** How many keys are left after those of the value; negative: none, and the rest was not counted. */
function keysWithin(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left;
  let remaining = Array.isArray(value) ? left : left - Object.keys(value).length;
  for (const member of Object.values(value)) {
    if (remaining < 0) return remaining;
    remaining = keysWithin(member, remaining);
  }
  return remaining;
}
