import { external } from './external.ts';
import { hitRate } from './hit-rate.ts';
import type { PotType } from './trigger.ts';

/** Every kind of win trigger (domain.md 4). A new one is one file and one line here. */
export const potTypes: Readonly<Record<string, PotType>> = {
  HitRate: hitRate,
  External: external,
};
