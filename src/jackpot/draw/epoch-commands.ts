import { equalBytes, fromHex } from '../../lib/bytes.ts';
import type { OpenEpoch, RevealEpoch } from '../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import type { EpochRecord } from '../../messages/records.ts';
import { refused } from '../../messages/refusals.ts';
import { isTerminal } from '../../messages/terminal-statuses.ts';
import type { EpochTask } from '../engine.ts';
import type { Epoch } from '../state/epochs.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { acceptBeacon } from './beacon.ts';
import { revealWithinMs, trimEpochs } from './epoch.ts';
import { commitOf } from './keys.ts';

/** Seeds are committed this many epochs ahead. */
const committedAhead = 2;

/** Takes in the seeds that an OpenEpoch commits, or the beacon of one; seeds already known stay as they are. */
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
  return { kind: 'Done', instance: instance.id, version: instance.version };
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
  state.announce({
    kind: 'EpochRevealed',
    instance: instance.id,
    epoch: epoch.number,
    seed: command.seed,
  });
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

/** The command that the owner has to write for an instance; null: nothing. */
export function ownerTaskOf(instance: Instance): EpochTask | null {
  const { epochs } = instance;
  const first = epochs.begun.length === 0 ? 0 : epochs.next;
  const wanted = isTerminal(instance.status) ? -1 : epochs.current + committedAhead;
  const commit: number[] = [];
  for (let epoch = first; epoch <= wanted; epoch++) if (!epochs.seeds.has(epoch)) commit.push(epoch);
  const reveal = epochs.unrevealed().flatMap((epoch) => {
    const seed = epochs.seeds.get(epoch.number);
    return seed === undefined ? [] : [{ ...place(epoch), sealed: seed.sealed, keyId: seed.keyId }];
  });
  if (commit.length === 0 && reveal.length === 0) return null;
  return {
    instance: instance.id,
    open: commit.length === 0 ? null : { epoch: epochs.current, commit },
    reveal,
  };
}

/** The epochs of an instance that its state still holds, committed ones last. */
export function epochRecords(instance: Instance, epochMs: number): readonly EpochRecord[] {
  const { epochs } = instance;
  const begun = epochs.begun.map((epoch) => ({
    epoch: epoch.number,
    commit: epoch.commit,
    beacon: fromHex((JSON.parse(epoch.header) as { readonly beacon: string }).beacon),
    state: stateOf(epoch),
    header: epoch.header,
    firstSequence: epoch.firstSequence,
    lastSequence: epoch.endedMs === null ? instance.sequence : epoch.lastSequence,
    firstMessage: epoch.firstMessage,
    lastMessage: epoch.lastMessage,
    seed: epoch.seed,
    ...(epoch.endedMs === null ? { dueMs: epoch.startedMs + epochMs } : {}),
  }));
  const committed = [...epochs.seeds.values()]
    .filter((seed) => seed.epoch >= epochs.next)
    .sort((a, b) => a.epoch - b.epoch)
    .map((seed) => ({
      epoch: seed.epoch,
      commit: seed.commit,
      beacon: seed.beacon,
      state: 'committed' as const,
      header: '',
      firstSequence: 0,
      lastSequence: 0,
      firstMessage: 0,
      lastMessage: 0,
      seed: null,
    }));
  return [...begun, ...committed];
}

function stateOf(epoch: Epoch): EpochRecord['state'] {
  if (epoch.endedMs === null) return 'running';
  return epoch.seed === null ? 'ended' : 'revealed';
}

function place(epoch: Epoch): { readonly epoch: number; readonly deadlineMs: number } {
  return { epoch: epoch.number, deadlineMs: epoch.endedMs! + revealWithinMs };
}
