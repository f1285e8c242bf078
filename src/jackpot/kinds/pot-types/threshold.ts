import { HALF, highOf, lowOf } from '../../../lib/wide.ts';
import { CURRENT, LAST_DRAWN } from '../../state/accounts.ts';
import type { PotType } from './trigger.ts';

/**
 * Must hit by a value: num = v1 − max(v0, min), den = max − max(v0, min). A miss while v1 ≤ min, sure at max; over a
 * cycle the same distribution as a hidden uniform value has, but no secret exists.
 */
export const threshold: PotType = {
  read(parameters) {
    const minAtoms = parameters.requiredAmount('min_value');
    const maxAtoms = parameters.requiredAmount('max_value');
    if (maxAtoms <= minAtoms) parameters.fault('max_value', 'must be above min_value');
    const minHigh = highOf(minAtoms);
    const minLow = lowOf(minAtoms);
    const maxHigh = highOf(maxAtoms);
    const maxLow = lowOf(maxAtoms);
    return {
      kind: 'Threshold',
      external: false,
      expectedCycleAtoms: null,
      bounds: { minAtoms, maxAtoms },
      windows: null,
      odds({ words, potAt }, odds) {
        let fromHigh = words[potAt + LAST_DRAWN]!;
        let fromLow = words[potAt + LAST_DRAWN + 1]!;
        if (fromHigh < minHigh || (fromHigh === minHigh && fromLow < minLow)) {
          fromHigh = minHigh;
          fromLow = minLow;
        }
        const num = words[potAt + CURRENT + 1]! - fromLow;
        const den = maxLow - fromLow;
        odds.numHigh = words[potAt + CURRENT]! - fromHigh - (num < 0 ? 1 : 0);
        odds.numLow = num < 0 ? num + HALF : num;
        odds.denHigh = maxHigh - fromHigh - (den < 0 ? 1 : 0);
        odds.denLow = den < 0 ? den + HALF : den;
        return true;
      },
    };
  },
};
