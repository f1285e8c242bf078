import type { RevealedRecord } from '../../contracts/jackpots/epochs.ts';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { assert } from '../../lib/assert.ts';
import type { EpochRecord } from '../../messages/records.ts';
import type { EpochStore } from './store.ts';

/** Epochs whose seed is public and that the lane still knows, the oldest first. */
export function revealedEpochs(engine: LaneEngine, instance: string): RevealedRecord[] {
  return (engine.epochs(instance) ?? []).filter(isRevealed);
}

export function isRevealed(record: EpochRecord): record is RevealedRecord {
  return record.seed !== null;
}

/** Header of the epoch after `epoch`; none begins after the last one of an instance that is over. */
export function closingAfter(engine: LaneEngine, instance: string, epoch: number): string {
  const next = engine.epochs(instance)?.find((each) => each.epoch === epoch + 1)?.header ?? '';
  const closing = next === '' ? engine.closing(instance) : next;
  assert(closing !== null, 'an instance with epochs is known');
  return closing;
}

/** The first message of an epoch that is neither over nor revealed; every later epoch begins later. */
export function firstUnrevealedMessage(engine: LaneEngine): number {
  let first = Number.POSITIVE_INFINITY;
  for (const instance of engine.instances())
    for (const { firstMessage, seed } of engine.epochs(instance) ?? [])
      if (seed === null && firstMessage > 0) first = Math.min(first, firstMessage);
  return first;
}

/** Epochs are published in order except for outages: before this many in a row none is missing. */
const publishedInARow = 32;

/** A revealed epoch that is not published. `record` null: its record was not kept. */
export interface UnpublishedEpoch {
  readonly instance: string;
  readonly epoch: number;
  readonly record: RevealedRecord | null;
}

/** All of a lane, those that it has forgotten included; what it still knows is written down on the way. */
export async function unpublishedEpochs(engine: LaneEngine, store: EpochStore): Promise<UnpublishedEpoch[]> {
  const unpublished: UnpublishedEpoch[] = [];
  const known = [...engine.instances()].map((instance) => ({
    instance,
    revealed: revealedEpochs(engine, instance),
  }));
  for (const { instance, revealed } of known) {
    const first = revealed[0];
    if (first === undefined) continue;
    for (const record of revealed) {
      const { epoch } = record;
      if (await store.isPublished(instance, epoch)) continue;
      await store.remember(instance, record);
      unpublished.push({ instance, epoch, record });
    }
    const missing = await unpublishedBefore(first.epoch, (epoch) => store.isPublished(instance, epoch));
    for (const epoch of missing)
      unpublished.push({ instance, epoch, record: await store.known(instance, epoch) });
  }
  return unpublished;
}

async function unpublishedBefore(
  known: number,
  isPublished: (epoch: number) => Promise<boolean>,
): Promise<number[]> {
  const missing: number[] = [];
  let inARow = 0;
  for (let epoch = known - 1; epoch >= 0 && inARow < publishedInARow; epoch -= 1) {
    const isThere = await isPublished(epoch);
    inARow = isThere ? inARow + 1 : 0;
    if (!isThere) missing.push(epoch);
  }
  return missing.reverse();
}

/** Whether a replay from this state on passes every draw of the epochs, of which nothing else is known. */
export function isBeforeAll(
  engine: LaneEngine,
  epochs: readonly Pick<UnpublishedEpoch, 'instance' | 'epoch'>[],
): boolean {
  return epochs.every(({ instance, epoch }) => {
    const records = (engine.epochs(instance) ?? []).filter(({ header }) => header !== '');
    const found = records.find((each) => each.epoch === epoch);
    if (found !== undefined) return found.firstMessage === 0 && found.seed === null;
    return records.every((each) => each.epoch < epoch);
  });
}
