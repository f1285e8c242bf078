import { createCipheriv, createHash, type Hash, hkdfSync, randomBytes } from 'node:crypto';
import { concatenate } from '../../../lib/bytes.ts';
import { sha256, sha256Bytes } from '../../../lib/hashes.ts';
import type { Digest, Hashing } from '../../../lib/hashing.ts';
import type { KeyRing } from '../../ports/actor-ports.ts';

const derivedKeyBytes = 32;
const zeroCounter = new Uint8Array(16);

const blockBytes = 64;
const innerPad = 0x36;
const outerPad = 0x5c;

/** Where parts are put together; whatever is longer gets room of its own. */
const scratch = new Uint8Array(64 * 1024);
const inner = new Uint8Array(blockBytes);
const outer = new Uint8Array(blockBytes + sha256Bytes);

const nothing = new Uint8Array(16 * 1024);

const secretBytes = randomBytes(8);
const tableSecret = { low: secretBytes.readInt32LE(0), high: secretBytes.readInt32LE(4) };

/** The engine's cryptography over node:crypto; sealed seeds are opened with the keys of `keyRing`. */
export function createHashing(keyRing: Pick<KeyRing, 'unseal'>): Hashing {
  return {
    sha256: (...parts) => sha256(joined(parts)),
    digest: () => digestOver(createHash('sha256')),
    hmacSha256: (key, ...parts) => hmacSha256(key, parts),
    hkdfSha256(keyMaterial, salt, info) {
      return new Uint8Array(hkdfSync('sha256', keyMaterial, salt, info, derivedKeyBytes));
    },
    keyStream(key) {
      const cipher = createCipheriv('aes-256-ctr', key, zeroCounter);
      return { key, next: (byteCount) => cipher.update(zeros(byteCount)) };
    },
    unseal: (keyId, sealed) => keyRing.unseal(keyId, sealed),
    tableSecret,
  };
}

/**
 * HMAC-SHA256 (RFC 2104) as two single-call hashes: a Hash or Hmac object is freed through a callback, and
 * one for each new player took young collections ten milliseconds and more.
 */
function hmacSha256(key: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const block = key.length > blockBytes ? sha256(key) : key;
  inner.fill(innerPad);
  outer.fill(outerPad, 0, blockBytes);
  for (let i = 0; i < block.length; i++) {
    inner[i] = innerPad ^ block[i]!;
    outer[i] = outerPad ^ block[i]!;
  }
  outer.set(sha256(joined([inner, ...parts])), blockBytes);
  return sha256(outer);
}

function zeros(byteCount: number): Uint8Array {
  return byteCount <= nothing.length ? nothing.subarray(0, byteCount) : new Uint8Array(byteCount);
}

/** Good until the next call. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > scratch.length) return concatenate(parts);
  let at = 0;
  for (const part of parts) {
    scratch.set(part, at);
    at += part.length;
  }
  return scratch.subarray(0, length);
}

function digestOver(digest: Hash): Digest {
  return {
    update: (bytes) => void digest.update(bytes),
    copy: () => digestOver(digest.copy()),
    done: () => digest.digest(),
  };
}
