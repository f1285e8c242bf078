import type { Reader } from '../../../../lib/document-reader.ts';
import type { PayoutRuleKind } from '../../../../messages/kinds.ts';
import type { Election, PayoutRule } from '../../../state/configuration/configuration.ts';
import type { SharedWin } from '../../../state/players/candidates.ts';
import { cycleSums, lifetimeSums } from '../../../state/players/standings.ts';
import { electActive } from './active-players.ts';
import { electHighest } from './highest.ts';

interface PayoutRuleType {
  read(parameters: Reader): PayoutRule;
}

export const payoutRules: Readonly<Record<PayoutRuleKind, PayoutRuleType>> = {
  /** Players with a contribution to the instance in (t − period, t]. */
  ActivePlayers: {
    read(parameters) {
      if (!parameters.has('period_before_win')) parameters.fault('period_before_win', 'is missing');
      const periodMs = parameters.integer('period_before_win', 0, 0) ?? 0;
      return ruleOf('ActivePlayers', parameters, (win, max) =>
        electActive(win, win.timestampMs - periodMs, max),
      );
    },
  },
  /** The highest sums of shares in this pot in the cycle that ends, winner included. */
  HighestContributors: {
    read: (parameters) =>
      ruleOf('HighestContributors', parameters, (win, max) => electHighest(win, max, cycleSums)),
  },
  /** The highest sums of shares in this pot ever, winner included. */
  HighestLifetimeContributors: {
    read: (parameters) =>
      ruleOf('HighestLifetimeContributors', parameters, (win, max) => electHighest(win, max, lifetimeSums)),
  },
};

/** Every rule has `max_number_of_payouts`. */
function ruleOf(
  kind: PayoutRuleKind,
  parameters: Reader,
  elect: (win: SharedWin, maxPayouts: number) => Election,
): PayoutRule {
  if (!parameters.has('max_number_of_payouts')) parameters.fault('max_number_of_payouts', 'is missing');
  const maxPayouts = parameters.integer('max_number_of_payouts', 1, 1) ?? 1;
  return { kind, maxPayouts, election: (win) => elect(win, maxPayouts) };
}
