import type { PayoutRuleKind } from '../../../../messages/kinds.ts';
import { activePlayers } from './active-players.ts';
import { highestContributors } from './highest-contributors.ts';
import { highestLifetimeContributors } from './highest-lifetime-contributors.ts';
import type { PayoutRuleType } from './rule.ts';

export const payoutRules: Readonly<Record<PayoutRuleKind, PayoutRuleType>> = {
  ActivePlayers: activePlayers,
  HighestContributors: highestContributors,
  HighestLifetimeContributors: highestLifetimeContributors,
};
