import { createCipheriv, createHash, createHmac, type Hash, hkdfSync } from 'node:crypto';
import type { Digest, Hashing } from '../jackpot/hashing.ts';
import type { KeyRing } from './key-ring.ts';

const derivedKeyBytes = 32;
const zeroCounter = new Uint8Array(16);

/** The engine's cryptography over node:crypto; sealed seeds are opened with the keys of `keyRing`. */
export function createHashing(keyRing: Pick<KeyRing, 'unseal'>): Hashing {
  return {
    sha256(...parts) {
      const hash = createHash('sha256');
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
    digest: () => digestOver(createHash('sha256')),
    hmacSha256(key, ...parts) {
      const hmac = createHmac('sha256', key);
      for (const part of parts) hmac.update(part);
      return hmac.digest();
    },
    hkdfSha256(keyMaterial, salt, info) {
      return new Uint8Array(hkdfSync('sha256', keyMaterial, salt, info, derivedKeyBytes));
    },
    keyStream(key) {
      const cipher = createCipheriv('aes-256-ctr', key, zeroCounter);
      return { next: (byteCount) => cipher.update(new Uint8Array(byteCount)) };
    },
    unseal: (keyId, sealed) => keyRing.unseal(keyId, sealed),
  };
}

function digestOver(hash: Hash): Digest {
  return {
    update: (bytes) => void hash.update(bytes),
    copy: () => digestOver(hash.copy()),
    done: () => hash.digest(),
  };
}
