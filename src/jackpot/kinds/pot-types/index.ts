import { external } from './external.ts';
import { hitRate } from './hit-rate.ts';
import { threshold } from './threshold.ts';
import { time } from './time.ts';
import type { PotType, PotTypeKind } from './trigger.ts';

/** A new kind is one file, one member of PotTypeKind, and one line here. */
export const potTypes: Readonly<Record<PotTypeKind, PotType>> = {
  HitRate: hitRate,
  Threshold: threshold,
  Time: time,
  External: external,
};
