import { createCipheriv, createHash, createHmac, type Hash, hkdfSync } from 'node:crypto';
import type { Digest, Hashing } from '../../../src/jackpot/hashing.ts';

/** The engine's cryptography for tests. Seeds are "sealed" as they are. */
export const testHashing: Hashing = {
  sha256(...parts) {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return new Uint8Array(hash.digest());
  },
  digest: () => digestOver(createHash('sha256')),
  hmacSha256(key, ...parts) {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return new Uint8Array(hmac.digest());
  },
  hkdfSha256: (keyMaterial, salt, info) => new Uint8Array(hkdfSync('sha256', keyMaterial, salt, info, 32)),
  keyStream(key) {
    const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
    return { next: (byteCount) => cipher.update(new Uint8Array(byteCount)) };
  },
  unseal: (_keyId, sealed) => sealed,
};

function digestOver(hash: Hash): Digest {
  return {
    update: (bytes) => void hash.update(bytes),
    copy: () => digestOver(hash.copy()),
    done: () => new Uint8Array(hash.digest()),
  };
}
