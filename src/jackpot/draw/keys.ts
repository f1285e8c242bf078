import { concatenate, u64, utf8 } from '../../lib/bytes.ts';
import type { Hashing } from '../hashing.ts';
import { commitHashPrefix, jpd1Name, keyHashPrefix } from './names.ts';

const commitPrefix = utf8(commitHashPrefix);
const keyPrefix = utf8(keyHashPrefix);
const streamPrefix = utf8(jpd1Name);

/** The commitment to a seed, published before its epoch. `instance`: first 16 bytes of SHA-256 of the id. */
export function commitOf(
  hashing: Hashing,
  instance: Uint8Array,
  epoch: number,
  seed: Uint8Array,
): Uint8Array {
  return hashing.sha256(commitPrefix, instance, u64(epoch), seed);
}

export function epochKey(
  hashing: Hashing,
  seed: Uint8Array,
  beacon: Uint8Array,
  instance: Uint8Array,
  epoch: number,
  configHash: Uint8Array,
): Uint8Array {
  return hashing.hkdfSha256(seed, beacon, concatenate([keyPrefix, instance, u64(epoch), configHash]));
}

/** R: the key of the keystream that the draws of one group share. */
export function streamKey(
  hashing: Hashing,
  key: Uint8Array,
  purpose: number,
  instance: Uint8Array,
  epoch: number,
  firstSequence: number,
  inputsHash: Uint8Array,
): Uint8Array {
  return hashing.hmacSha256(
    key,
    streamPrefix,
    Uint8Array.of(purpose),
    instance,
    u64(epoch),
    u64(firstSequence),
    inputsHash,
  );
}
