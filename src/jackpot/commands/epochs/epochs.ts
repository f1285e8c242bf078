import { equalBytes } from '../../../lib/bytes.ts';
import type { OpenEpoch, RevealEpoch } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { committedAhead, trimEpochs } from '../../rules/epochs/epoch.ts';
import { commitOf } from '../../rules/keystreams/keys.ts';
import { done } from '../../rules/statuses/change.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** Takes the seeds that an OpenEpoch commits, or the beacon of one; seeds already known stay as they are. */
export function openEpoch(state: LaneState, command: OpenEpoch): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (command.seeds.length === 0 && command.beacon.length > 0) return acceptBeacon(state, instance, command);
  const { epochs } = instance;
  const fits = command.seeds.every(
    ({ epoch, commit }) => commit.length === 32 && epoch <= epochs.next + committedAhead,
  );
  if (!fits) return refused('invalid_parameter', 'a seed is malformed or too far ahead');
  state.touch(instance);
  for (const seed of command.seeds) {
    if (seed.epoch >= epochs.next && !epochs.seeds.has(seed.epoch)) {
      epochs.seeds.set(seed.epoch, { ...seed, beacon: command.beacon });
    }
  }
  state.noteOwnerTask(instance);
  return done(instance);
}

export function revealEpoch(state: LaneState, command: RevealEpoch): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  const epoch = instance.epochs.unrevealed().find((each) => each.number === command.epoch);
  if (epoch === undefined) return refused('invalid_parameter', 'the epoch has not ended or is revealed');
  const commit = commitOf(state.hashing, instance.idHash, epoch.number, command.seed);
  if (!equalBytes(commit, epoch.commit))
    return refused('invalid_parameter', 'the seed does not fit its commit');
  state.touch(instance);
  epoch.seed = command.seed;
  instance.epochs.seeds.delete(epoch.number);
  trimEpochs(instance);
  state.noteOwnerTask(instance);
  state.announce({ kind: 'EpochRevealed', instance: instance.id, epoch: epoch.number, seed: command.seed });
  return done(instance);
}

const beaconBytes = 32;

/** Without seeds an OpenEpoch hands in its epoch's beacon, once, before it begins (docs/decisions/0080). */
function acceptBeacon(state: LaneState, instance: Instance, command: OpenEpoch): CommandOutcome {
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
  return done(instance);
}
