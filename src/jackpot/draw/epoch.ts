import { assert } from '../../lib/assert.ts';
import { fromHex, utf8 } from '../../lib/bytes.ts';
import type { Hashing } from '../hashing.ts';
import { revealedRetained } from '../state/epochs.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { enablePots } from '../status/disabled-pots.ts';
import { announceInstance } from '../work/announce-instance.ts';
import { headerOf } from './header.ts';
import { epochKey } from './keys.ts';

/** An ended epoch must be revealed within this time, or its instance pauses. */
export const revealWithinMs = 60_000;

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
  const header = headerOf(hashing, instance, seed, rules.drawRules);
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

/** K of the running epoch. Needs the key ring: throws where the seed cannot be opened. */
export function keyOf(hashing: Hashing, instance: Instance): Uint8Array {
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

/** Forgets the oldest revealed epochs: the archive has them. */
export function trimEpochs(instance: Instance): void {
  const { epochs } = instance;
  while (epochs.begun.length > revealedRetained + 1 && epochs.begun[0]!.seed !== null) epochs.begun.shift();
}
