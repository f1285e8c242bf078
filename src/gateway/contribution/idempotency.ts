import { hash } from 'node:crypto';

/** A contribution's key in the log: the first 16 bytes of SHA-256(operator ‖ 0x00 ‖ key). */
export function idempotencyHash(operator: string, key: string): Uint8Array {
  return hash('sha256', `${operator}\0${key}`, 'buffer').subarray(0, 16);
}
