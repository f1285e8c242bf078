import { readDrawKeys } from '../../actors/epochs/keys/draw-keys.ts';
import { seedCommit } from '../../actors/epochs/keys/epoch-seeds.ts';
import { createHashing } from '../../actors/epochs/keys/hashing.ts';
import type { KeyRing } from '../../actors/ports/actor-ports.ts';
import type { Settings } from '../../config/settings.ts';
import { equalBytes } from '../../lib/bytes.ts';
import { connectLog } from '../../log/jetstream/connect.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { logSettings, withArchive } from '../../wiring.ts';
import type { Reach } from './reach.ts';
import { readSealedSeeds, type SealedSeed } from './sealed-seeds.ts';

const noKeys: Pick<KeyRing, 'unseal'> = {
  unseal() {
    throw new Error('There are no keys.');
  },
};

/** Opens every sealed seed in the data directory and, if reachable, in the log. */
export async function examineSeals(settings: Settings, reach: Reach | null): Promise<string> {
  const { keys } = dataPaths(settings.dataDirectory);
  const drawKeys = settings.drawKeysDirectory;
  const ring = readDrawKeys({ drawKeys, keys });
  const log =
    reach === null ? null : withArchive(await connectLog(logSettings(reach.settings, 'doctor')), settings);
  try {
    const judged = judgeSeals(await readSealedSeeds(settings, log), ring ?? noKeys, drawKeys);
    return log === null ? `${judged} (from snapshots on this machine: nats-server is not running)` : judged;
  } finally {
    await log?.close();
  }
}

/**
 * The newest epochs are the ones that matter: what is drawn next needs them.
 * @throws Error naming the first instance and epoch whose seed does not open, or is not the one that was
 * committed to.
 */
export function judgeSeals(
  seeds: readonly SealedSeed[],
  ring: Pick<KeyRing, 'unseal'>,
  keysDirectory: string,
): string {
  const hashing = createHashing(ring);
  const faults = seeds.flatMap((seed) => {
    const fault = faultOf(seed);
    return fault === null ? [] : [`epoch ${seed.epoch} of ${seed.instance}: ${fault}`];
  });
  if (faults.length > 0) {
    throw new Error(
      `${faults.length} of ${seeds.length} sealed seeds do not open (${faults[0]}). Without them jackpots cannot draw ` +
        `or reveal. Restore the ${keysDirectory} that belongs to this data.`,
    );
  }
  if (seeds.length === 0) return 'no epoch is committed yet';
  const newest = seeds.reduce((one, other) => (other.epoch > one.epoch ? other : one));
  return `all ${seeds.length} sealed seeds open; the newest is epoch ${newest.epoch} of ${newest.instance}`;

  function faultOf({ instance, epoch, commit, keyId, sealed }: SealedSeed): string | null {
    try {
      const opened = ring.unseal(keyId, sealed);
      return equalBytes(commit, seedCommit(hashing, instance, epoch, opened))
        ? null
        : 'not the one committed to';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
