import { POT_ROW_WORDS, POT_VALUE, POTS_AT } from '../../state/player-segment.ts';
import { electHighest } from './highest.ts';
import { type PayoutRuleType, readMaximumPayouts } from './rule.ts';

/** The highest sums of shares in this pot ever, winner included. */
export const highestLifetimeContributors: PayoutRuleType = {
  read(parameters) {
    const maximumPayouts = readMaximumPayouts(parameters);
    return {
      kind: 'HighestLifetimeContributors',
      maximumPayouts,
      election(win) {
        const low = POTS_AT + POT_ROW_WORDS * win.pot + POT_VALUE;
        return electHighest(win, maximumPayouts, { low, high: low + 1, top: low + 2, cycle: null });
      },
    };
  },
};
