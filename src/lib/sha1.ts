import { hash } from 'node:crypto';

/** SHA-1 (FIPS 180-4): for names of UUID version 5 only, where nobody relies on its strength. */
export function sha1(message: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha1', message, 'buffer'));
}
