import { equalBytes } from '../../../lib/bytes.ts';
import type { OpenEpoch } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

const beaconBytes = 32;

/**
 * An OpenEpoch that commits nothing hands in the beacon of its epoch (docs/decisions/0080): after the commitment, before the
 * epoch begins, once. The same bytes again change nothing.
 */
export function acceptBeacon(state: LaneState, instance: Instance, command: OpenEpoch): CommandOutcome {
  const { configuration, epochs } = instance;
  const { beacon, epoch } = command;
  if (beacon.length !== beaconBytes) return refused('invalid_parameter', 'a beacon has 32 bytes');
  if (!configuration.wantsBeacon) return refused('invalid_transition', 'the instance takes no beacons');
  const seed = epochs.seeds.get(epoch);
  if (seed === undefined || epoch < epochs.next)
    return refused('invalid_transition', 'the epoch is not committed, or has begun');
  const isKnown = seed.beacon.length > 0;
  if (isKnown && !equalBytes(seed.beacon, beacon))
    return refused('already_exists', 'the epoch has another beacon');
  state.touch(instance);
  epochs.seeds.set(epoch, { ...seed, beacon });
  state.noteOwnerTask(instance);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}
