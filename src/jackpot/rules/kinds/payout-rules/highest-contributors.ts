import { cycleSums } from '../../../state/players/standings.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaxPayouts } from './rule.ts';

/** The highest sums of shares in this pot in the cycle that ends, winner included. */
export const highestContributors: PayoutRuleType = {
  read(parameters) {
    const maxPayouts = readMaxPayouts(parameters);
    return {
      kind: 'HighestContributors',
      maxPayouts,
      election: (win) => electHighest(win, maxPayouts, cycleSums),
    };
  },
};
