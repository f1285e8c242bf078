import { hash } from 'node:crypto';

/** Bytes of a SHA-256 digest. */
export const sha256Bytes = 32;

/**
 * The first `size` bytes of SHA-256 (FIPS 180-4); texts are hashed as UTF-8. The digest is asked for as text because a Buffer
 * lies outside of V8's heap: to make one takes as long as to hash, and the young collections free each by itself.
 */
export function sha256(data: Uint8Array | string, size = sha256Bytes): Uint8Array {
  const digest = hash('sha256', data, 'binary');
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}
