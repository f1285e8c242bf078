import { createCipheriv, createHash, createHmac, type Hash, hash, hkdfSync } from 'node:crypto';
import type { Digest, Hashing } from '../jackpot/hashing.ts';
import { concatenate } from '../lib/bytes.ts';
import type { KeyRing } from './key-ring.ts';

const derivedKeyBytes = 32;
const zeroCounter = new Uint8Array(16);

/** The engine's cryptography over node:crypto; sealed seeds are opened with the keys of `keyRing`. */
export function createHashing(keyRing: Pick<KeyRing, 'unseal'>): Hashing {
  return {
    sha256: (...parts) => sha256(parts),
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

/**
 * One call, no object: a Hash is freed by the garbage collector through a callback of its own, and several a message are
 * what the lane then waits for.
 */
function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return hash('sha256', parts.length === 1 && first !== undefined ? first : concatenate(parts), 'buffer');
}

function digestOver(digest: Hash): Digest {
  return {
    update: (bytes) => void digest.update(bytes),
    copy: () => digestOver(digest.copy()),
    done: () => digest.digest(),
  };
}
