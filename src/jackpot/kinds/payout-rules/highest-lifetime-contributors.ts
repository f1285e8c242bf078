import { LIFETIME_SUMS } from '../../state/standings.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaximumPayouts } from './rule.ts';

/** The highest sums of shares in this pot ever, winner included. */
export const highestLifetimeContributors: PayoutRuleType = {
  read(parameters) {
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'HighestLifetimeContributors',
      maximumPayouts,
      election: (win) => electHighest(win, maximumPayouts, LIFETIME_SUMS),
    };
  },
};
