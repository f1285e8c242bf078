import type { PotTypeKind } from '../../../../messages/kinds.ts';
import { external } from './external.ts';
import { hitRate } from './hit-rate.ts';
import type { PotType } from './pot-type.ts';
import { threshold } from './threshold.ts';
import { time } from './time.ts';

export const potTypes: Readonly<Record<PotTypeKind, PotType>> = {
  HitRate: hitRate,
  Threshold: threshold,
  Time: time,
  External: external,
};
