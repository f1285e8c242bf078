import { assert } from '../../../lib/assert.ts';
import { concatenate, fromHex, u64, utf8 } from '../../../lib/bytes.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import type { Instance } from '../../state/instance/instance.ts';
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

function epochKey(
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

/** K of the running epoch. Needs the key ring: throws where the seed cannot be opened. */
export function keyOfEpoch(hashing: Hashing, instance: Instance): Uint8Array {
  const { epochs } = instance;
  if (epochs.key !== null) return epochs.key;
  const running = epochs.running;
  const seed = running === null ? undefined : epochs.seeds.get(running.number);
  assert(running !== null && seed !== undefined, 'draws happen in a running epoch whose seed is committed');
  const opened = hashing.unseal(seed.keyId, seed.sealed);
  const header = JSON.parse(running.header) as { config_hash: string };
  epochs.key = epochKey(
    hashing,
    opened,
    seed.beacon,
    instance.idHash,
    running.number,
    fromHex(header.config_hash),
  );
  return epochs.key;
}
