import { assert } from '../../../lib/assert.ts';
import { JsonText } from '../../../lib/json.ts';
import { PublicError } from '../../base/errors.ts';

const maxBytes = 8 * 1024;
const maxKeys = 256;
const texts = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The text of a metadata member, null where it is absent. Depth and double keys were checked by the body's scan. */
export function metadataText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  assert(value instanceof JsonText, 'metadata is kept as it was written');
  const { text } = value;
  // A short text needs no counting: a character takes at most 3 bytes of UTF-8, a key at least 5 characters of JSON.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    throw new PublicError('payload_too_large');
  }
  if (text.length >= maxKeys * 5 && text.replace(texts, '').split(':').length > maxKeys + 1) {
    throw new PublicError('invalid_request', 'The metadata has too many keys.');
  }
  return text;
}
