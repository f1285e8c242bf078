import type { RevealedRecord } from '../../contracts/jackpots/epochs.ts';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { revealedEpochs } from './revealed.ts';
import type { EpochStore } from './store.ts';

/** Epochs are published in their order but for outages: behind so many that are there none is missing. */
const publishedInARow = 32;

/** A revealed epoch that is not published. `record` null: nobody has written down what it was. */
export interface UnpublishedEpoch {
  readonly instance: string;
  readonly epoch: number;
  readonly record: RevealedRecord | null;
}

/** All of a lane, those that it has forgotten included; what it still knows is written down on the way. */
export async function unpublishedEpochs(engine: LaneEngine, store: EpochStore): Promise<UnpublishedEpoch[]> {
  const unpublished: UnpublishedEpoch[] = [];
  // What the lane knows may change while the store is asked.
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

/** Epochs before `known` that are not published, the oldest first. */
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
