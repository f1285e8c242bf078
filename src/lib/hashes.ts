import { hash } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';

/** Bytes of a SHA-256 digest. */
export const sha256Bytes = 32;

/** The first bytes of SHA-256. Asks node for a text, because a Buffer costs as much as the hash. */
export function sha256(data: Uint8Array | string, size = sha256Bytes): Uint8Array {
  const digest = hash('sha256', data, 'binary');
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}

/** SHA-1 (FIPS 180-4), 20 bytes. Only for UUID version 5, where its weakness does no harm. */
export function sha1(message: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha1', message, 'buffer'));
}

/** CRC-32 (ISO 3309, as in zip) of `bytes`, an unsigned 32-bit integer. */
export function crc32(bytes: Uint8Array): number {
  return zlibCrc32(bytes);
}

/** FNV-1a, 32 bits unsigned, of UTF-8. Maps groups to lanes (docs/rules/log.md "Lanes and groups"). */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
