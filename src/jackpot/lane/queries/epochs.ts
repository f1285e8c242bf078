import { fromHex } from '../../../lib/bytes.ts';
import { type EpochRecord, isTerminal } from '../../../messages/records.ts';
import { committedAhead, revealWithinMs } from '../../rules/epochs/epoch.ts';
import type { Epoch } from '../../state/instance/epochs.ts';
import type { Instance } from '../../state/instance/instance.ts';

/** The commands that the lane's owner has to write next (the engine uses no clock and no randomness). */
export interface EpochTask {
  readonly instance: string;
  /** Epochs whose seeds must be committed now, with the epoch that the OpenEpoch command names. */
  readonly open: { readonly epoch: number; readonly commit: readonly number[] } | null;
  /** Epochs that have ended and are not revealed. */
  readonly reveal: readonly {
    readonly epoch: number;
    readonly deadlineMs: number;
    readonly sealed: Uint8Array;
    readonly keyId: string;
  }[];
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
