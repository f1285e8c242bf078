import { assert } from '../../../lib/assert.ts';
import { utf8 } from '../../../lib/bytes.ts';
import { revealedRetained } from '../../state/instance/epochs.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { announceInstance } from '../descriptions/describe.ts';
import { enablePots } from '../pots/disabled-pots.ts';
import { epochHeaderOf } from './header.ts';

/** An ended epoch must be revealed within this time, or its instance pauses. */
export const revealWithinMs = 60_000;

/** Seeds are committed this many epochs ahead. */
export const committedAhead = 2;

/** Whether the epoch's seed is committed and, where the rules in force want one, its beacon is there. */
export function isReady({ configuration, epochs }: Instance, epoch: number): boolean {
  const seed = epochs.seeds.get(epoch);
  return seed !== undefined && (!configuration.wantsBeacon || seed.beacon.length > 0);
}

/** Begins the next epoch; its seed must be committed. Instance-level parameters that waited bind now. */
export function beginEpoch(state: LaneState, instance: Instance): void {
  const { hashing, nowMs, rules } = state;
  const { epochs } = instance;
  const seed = epochs.seeds.get(epochs.next);
  assert(seed !== undefined, 'an epoch begins with a committed seed');
  const isChanged = instance.pendingConfiguration !== null;
  if (instance.pendingConfiguration !== null) {
    instance.configuration = instance.pendingConfiguration;
    instance.pendingConfiguration = null;
    instance.refresh();
  }
  const isEnabled = enablePots(state, instance);
  if (isChanged || isEnabled) announceInstance(state, instance);
  const header = epochHeaderOf(hashing, instance, seed, rules.drawRules);
  epochs.begun.push({
    number: seed.epoch,
    commit: seed.commit,
    header,
    rules: rules.drawRules,
    firstSequence: instance.sequence + 1,
    startedMs: nowMs,
    firstMessage: 0,
    lastMessage: 0,
    lastSequence: instance.sequence,
    endedMs: null,
    seed: null,
  });
  epochs.head = hashing.sha256(epochs.head, hashing.sha256(utf8(header)));
  epochs.key = null;
  epochs.endRequested = false;
  state.announce({ kind: 'EpochStarted', instance: instance.id, epoch: seed.epoch, header });
}

/** Ends the running epoch at a message boundary and begins the next. */
export function turnEpoch(state: LaneState, instance: Instance): void {
  endEpoch(state, instance);
  beginEpoch(state, instance);
}

/** Ends the running epoch; where no other follows the instance draws no more. */
export function endEpoch(state: LaneState, instance: Instance): void {
  const running = instance.epochs.running;
  assert(running !== null, 'an epoch that ends is running');
  running.endedMs = state.nowMs;
  running.lastSequence = instance.sequence;
  state.announce({
    kind: 'EpochEnded',
    instance: instance.id,
    epoch: running.number,
    fromSequence: running.firstSequence,
    toSequence: running.lastSequence,
  });
}

/** Forgets the oldest revealed epochs: the archive has them. */
export function trimEpochs(instance: Instance): void {
  const { epochs } = instance;
  while (epochs.begun.length > revealedRetained + 1 && epochs.begun[0]!.seed !== null) epochs.begun.shift();
}
