import { ctr } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { VerifierHashing } from '../../../verifier/src/index.ts';

const blockBytes = 16;

/** The verifier's hash functions in a browser. Web Crypto is not there on pages without TLS, these are. */
export const browserHashing: VerifierHashing = {
  sha256: (bytes) => sha256(bytes),
  hmacSha256: (key, bytes) => hmac(sha256, key, bytes),
  keyStream(key) {
    let blocks = 0n;
    return (byteCount) => {
      if (byteCount % blockBytes !== 0) throw new RangeError('a key stream is read in whole blocks');
      const counter = new Uint8Array(blockBytes);
      new DataView(counter.buffer).setBigUint64(8, blocks);
      blocks += BigInt(byteCount / blockBytes);
      return ctr(key, counter).encrypt(new Uint8Array(byteCount));
    };
  },
};
