import type { TableSecret } from './keyed-hash.ts';

/** SHA-256 of consecutive bytes; the caller may change them after `update`. */
export interface Digest {
  update(bytes: Uint8Array): void;
  /** A copy that continues from here. */
  copy(): Digest;
  done(): Uint8Array;
}

/** AES-256-CTR from a zero counter. Successive calls of `next` continue the stream. */
interface KeyStream {
  readonly key: Uint8Array;
  next(byteCount: number): Uint8Array;
}

/** The cryptography that the pure engine is handed (docs/rules/draws.md "Key streams"). */
export interface Hashing {
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  digest(): Digest;
  hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array;
  /** HKDF-SHA256 (RFC 5869), 32 bytes. */
  hkdfSha256(keyMaterial: Uint8Array, salt: Uint8Array, info: Uint8Array): Uint8Array;
  keyStream(key: Uint8Array): KeyStream;
  /** Opens a sealed seed; throws where its key is missing or the seal is broken. */
  unseal(keyId: string, sealed: Uint8Array): Uint8Array;
  /** Random for each process. */
  readonly tableSecret: TableSecret;
}

/** The same cryptography, which adds the key of each stream that is asked for to `keys`. */
export function notingKeys(hashing: Hashing, keys: Uint8Array[]): Hashing {
  return {
    ...hashing,
    keyStream(key) {
      const stream = hashing.keyStream(key);
      keys.push(stream.key);
      return stream;
    },
  };
}
