import { lifetimeSums } from '../../../state/players/standings.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaxPayouts } from './rule.ts';

/** The highest sums of shares in this pot ever, winner included. */
export const highestLifetimeContributors: PayoutRuleType = {
  read(parameters) {
    const maxPayouts = readMaxPayouts(parameters);
    return {
      kind: 'HighestLifetimeContributors',
      maxPayouts,
      election: (win) => electHighest(win, maxPayouts, lifetimeSums),
    };
  },
};
