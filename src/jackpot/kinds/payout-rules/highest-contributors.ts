import { POT_CYCLE, POT_CYCLE_VALUE, POT_ROW_WORDS, POTS_AT } from '../../state/player-segment.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaximumPayouts } from './rule.ts';

/** The highest sums of shares in this pot in the cycle that ends, winner included. */
export const highestContributors: PayoutRuleType = {
  read(parameters) {
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'HighestContributors',
      maximumPayouts,
      election(win) {
        const pot = POTS_AT + POT_ROW_WORDS * win.pot;
        const low = pot + POT_CYCLE_VALUE;
        return electHighest(win, maximumPayouts, { low, high: low + 1, top: null, cycle: pot + POT_CYCLE });
      },
    };
  },
};
