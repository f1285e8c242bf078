import * as z from 'zod';
import type { PayoutRuleKind } from '../../messages/kinds.ts';
import { cycleCount, milliseconds } from '../configuration-fields.ts';
import type { Kind } from './kind.ts';

const limit: Kind = {
  input: z.strictObject({ max_number_of_payouts: cycleCount }),
  shape: z.strictObject({ max_number_of_payouts: z.int() }),
};

/** The `rule` of a pot's `payout_rules`. */
export const payoutRules: Readonly<Record<PayoutRuleKind, Kind>> = {
  ActivePlayers: {
    input: z.strictObject({ period_before_win: milliseconds, max_number_of_payouts: cycleCount }),
    shape: z.strictObject({ period_before_win: z.int(), max_number_of_payouts: z.int() }),
  },
  HighestContributors: limit,
  HighestLifetimeContributors: limit,
};
