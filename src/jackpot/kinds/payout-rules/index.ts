import { activePlayers } from './active-players.ts';
import { highestContributors } from './highest-contributors.ts';
import { highestLifetimeContributors } from './highest-lifetime-contributors.ts';
import type { PayoutRuleKind, PayoutRuleType } from './rule.ts';

/** A new kind is one file, one member of PayoutRuleKind, and one line here. */
export const payoutRules: Readonly<Record<PayoutRuleKind, PayoutRuleType>> = {
  ActivePlayers: activePlayers,
  HighestContributors: highestContributors,
  HighestLifetimeContributors: highestLifetimeContributors,
};
