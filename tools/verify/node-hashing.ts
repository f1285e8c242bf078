import { createCipheriv, createHash, createHmac } from 'node:crypto';
import type { VerifierHashing } from '../../verifier/src/index.ts';

const zeroCounter = new Uint8Array(16);

/** The verifier's hash functions over node:crypto. */
export const nodeHashing: VerifierHashing = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  hmacSha256: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
  keyStream(key) {
    const cipher = createCipheriv('aes-256-ctr', key, zeroCounter);
    return (byteCount) => cipher.update(new Uint8Array(byteCount));
  },
};
