import { sha256 } from '../../../lib/hashes.ts';

/** A contribution's key in the log: the first 16 bytes of SHA-256(operator ‖ 0x00 ‖ key). */
export function idempotencyHash(operator: string, key: string): Uint8Array {
  return sha256(`${operator}\0${key}`, 16);
}
