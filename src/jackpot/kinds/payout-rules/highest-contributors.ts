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
        return electHighest(win, maximumPayouts, (rows, at, sum) => {
          // What a row says of an earlier cycle is not cleared before the player's next contribution.
          const counts = rows[at + pot + POT_CYCLE] === win.cycle;
          sum.high = counts ? rows[at + pot + POT_CYCLE_VALUE + 1]! : 0;
          sum.low = counts ? rows[at + pot + POT_CYCLE_VALUE]! : 0;
        });
      },
    };
  },
};
