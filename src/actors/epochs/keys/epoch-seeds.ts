import { u64, utf8 } from '../../../lib/bytes.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import type { CommittedSeed, OpenEpoch } from '../../../messages/lane-commands.ts';
import type { Random } from '../../../ports.ts';
import type { KeyRing } from '../../ports/actor-ports.ts';

const seedBytes = 32;
const instanceHashBytes = 16;
const commitLabel = utf8('JPD1/commit');
const noBeacon = new Uint8Array(0);

type SeedPorts = { readonly hashing: Hashing; readonly random: Random; readonly keyRing: KeyRing };

/** Opens `epoch` and commits fresh seeds for `committed`, sealed (docs/rules/draws.md "Seeds"). */
export function openEpochCommand(
  ports: SeedPorts,
  instance: string,
  epoch: number,
  committed: readonly number[],
): OpenEpoch {
  const seeds = committed.map((each) => committedSeed(ports, instance, each));
  return { kind: 'OpenEpoch', instance, epoch, seeds, beacon: noBeacon };
}

function committedSeed(ports: SeedPorts, instance: string, epoch: number): CommittedSeed {
  const seed = ports.random.bytes(seedBytes);
  return { epoch, commit: seedCommit(ports.hashing, instance, epoch, seed), ...ports.keyRing.seal(seed) };
}

/** SHA-256("JPD1/commit" ‖ instance ‖ u64 epoch ‖ S). */
export function seedCommit(hashing: Hashing, instance: string, epoch: number, seed: Uint8Array): Uint8Array {
  const instanceHash = hashing.sha256(utf8(instance)).subarray(0, instanceHashBytes);
  return hashing.sha256(commitLabel, instanceHash, u64(epoch), seed);
}
