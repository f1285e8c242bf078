import { crc32 as zlibCrc32 } from 'node:zlib';

/** CRC-32 (ISO 3309, as in zip) of `bytes`, an unsigned 32-bit integer. */
export function crc32(bytes: Uint8Array): number {
  return zlibCrc32(bytes);
}
