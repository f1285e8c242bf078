import { CYCLE_SUMS } from '../../state/standings.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaximumPayouts } from './rule.ts';

/** The highest sums of shares in this pot in the cycle that ends, winner included. */
export const highestContributors: PayoutRuleType = {
  read(parameters) {
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'HighestContributors',
      maximumPayouts,
      election: (win) => electHighest(win, maximumPayouts, CYCLE_SUMS),
    };
  },
};
