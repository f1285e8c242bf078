import { hash } from 'node:crypto';

/** Bytes of a SHA-256 digest. */
export const sha256Bytes = 32;

/**
 * The first `size` bytes of SHA-256 (FIPS 180-4); a text is hashed as UTF-8. Asks node for a text, because a Buffer
 * lies outside V8's heap and takes as long to create as to hash.
 */
export function sha256(data: Uint8Array | string, size = sha256Bytes): Uint8Array {
  const digest = hash('sha256', data, 'binary');
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}
