import { half, highOf, lowOf } from '../../../../lib/wide.ts';
import { currentAt, lastDrawnAt } from '../../../state/money/accounts.ts';
import type { PotType } from './pot-type.ts';

/** num = v1 − max(v0, min), den = max − max(v0, min): over a cycle as if a hidden uniform value was set. */
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
      odds({ balances, potAt }, odds) {
        let fromHigh = balances[potAt + lastDrawnAt]!;
        let fromLow = balances[potAt + lastDrawnAt + 1]!;
        if (fromHigh < minHigh || (fromHigh === minHigh && fromLow < minLow)) {
          fromHigh = minHigh;
          fromLow = minLow;
        }
        const num = balances[potAt + currentAt + 1]! - fromLow;
        const den = maxLow - fromLow;
        odds.numHigh = balances[potAt + currentAt]! - fromHigh - (num < 0 ? 1 : 0);
        odds.numLow = num < 0 ? num + half : num;
        odds.denHigh = maxHigh - fromHigh - (den < 0 ? 1 : 0);
        odds.denLow = den < 0 ? den + half : den;
        return true;
      },
    };
  },
};
