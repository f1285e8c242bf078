import type { RevealedRecord } from '../../contracts/jackpots/epochs.ts';
import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { assert } from '../../lib/assert.ts';
import type { EpochRecord } from '../../messages/records.ts';

/** Epochs whose seed is public and that the lane still knows, the oldest first. */
export function revealedEpochs(engine: LaneEngine, instance: string): RevealedRecord[] {
  return (engine.epochs(instance) ?? []).filter(isRevealed);
}

export function isRevealed(record: EpochRecord): record is RevealedRecord {
  return record.seed !== null;
}

/** Header of the epoch behind `epoch`; none begins behind the last one of an instance that is over. */
export function closingAfter(engine: LaneEngine, instance: string, epoch: number): string {
  const next = engine.epochs(instance)?.find((each) => each.epoch === epoch + 1)?.header ?? '';
  const closing = next === '' ? engine.closing(instance) : next;
  assert(closing !== null, 'an instance with epochs is known');
  return closing;
}

/** The first message of an epoch that is neither over nor revealed; every epoch behind begins later. */
export function firstUnrevealedMessage(engine: LaneEngine): number {
  let first = Number.POSITIVE_INFINITY;
  for (const instance of engine.instances())
    for (const { firstMessage, seed } of engine.epochs(instance) ?? [])
      if (seed === null && firstMessage > 0) first = Math.min(first, firstMessage);
  return first;
}
