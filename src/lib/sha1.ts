import { hash } from 'node:crypto';

/** SHA-1 (FIPS 180-4), 20 bytes. Only for UUID version 5, where its weakness does no harm. */
export function sha1(message: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha1', message, 'buffer'));
}
