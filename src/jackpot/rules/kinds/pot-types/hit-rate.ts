import { highOf, lowOf } from '../../../../lib/wide.ts';
import type { PotType } from './pot-type.ts';

/** Odds exactly linear in the contribution: num = C, den = N·k. */
export const hitRate: PotType = {
  read(parameters) {
    const magicNumber = parameters.integer('max_magic_number', 1, null);
    if (!parameters.has('max_magic_number')) parameters.fault('max_magic_number', 'is missing');
    const costAtoms = parameters.requiredAmount('cost_per_attempt');
    if (costAtoms === 0n) parameters.fault('cost_per_attempt', 'must be above zero');
    const den = BigInt(magicNumber ?? 1) * costAtoms;
    if (den >= 1n << 63n) parameters.fault('max_magic_number', 'times cost_per_attempt is too large');
    const denHigh = highOf(den);
    const denLow = lowOf(den);
    return {
      kind: 'HitRate',
      external: false,
      expectedCycleAtoms: den,
      bounds: null,
      windows: null,
      odds(view, odds) {
        odds.numHigh = view.contributionHigh;
        odds.numLow = view.contributionLow;
        odds.denHigh = denHigh;
        odds.denLow = denLow;
        return true;
      },
    };
  },
};
