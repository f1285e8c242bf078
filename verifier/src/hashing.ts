/**
 * The hash functions that the verifier is handed: node:crypto on the command line, an audited package in the browser.
 * They are all that it has in common with the engine.
 */
export interface VerifierHashing {
  sha256(bytes: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array;
  /** AES-256-CTR over zeros from a zero counter; each call goes on where the last one ended. */
  keyStream(key: Uint8Array): (byteCount: number) => Uint8Array;
}

/** HKDF-SHA256 (RFC 5869), 32 bytes: one block suffices. An absent salt is 32 zero bytes. */
export function hkdfSha256(
  hashing: VerifierHashing,
  keyMaterial: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
): Uint8Array {
  const extracted = hashing.hmacSha256(salt.length === 0 ? new Uint8Array(32) : salt, keyMaterial);
  const block = new Uint8Array(info.length + 1);
  block.set(info);
  block[info.length] = 1;
  return hashing.hmacSha256(extracted, block);
}
