import type { EpochRecord } from '../contracts/log/messages.ts';
import type { LaneEngine } from '../jackpot/engine.ts';

/** An epoch whose seed is public: what is to be published of it. The lane may forget it meanwhile. */
export interface RevealedEpoch {
  readonly instance: string;
  readonly record: EpochRecord & { readonly seed: Uint8Array };
  /** Header of the epoch behind; empty where that one has not begun. */
  readonly nextHeader: string;
}

/** Those that the lane still knows, the oldest first. */
export function revealedEpochs(engine: LaneEngine, instance: string): RevealedEpoch[] {
  const records = engine.epochs(instance) ?? [];
  return records.flatMap((record) => {
    const { epoch, seed } = record;
    if (seed === null) return [];
    const nextHeader = records.find((each) => each.epoch === epoch + 1)?.header ?? '';
    return [{ instance, record: { ...record, seed }, nextHeader }];
  });
}
