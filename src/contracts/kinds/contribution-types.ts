import * as z from 'zod';
import type { ContributionTypeKind } from '../../messages/kinds.ts';
import { amount, share } from '../configuration-fields.ts';
import { amountOf, shareNumber } from '../document-members.ts';
import type { Kind } from './kind.ts';

/** `contribution_type`, a pot's `contribution` and its `seed_contribution`. */
export const contributionTypes: Readonly<Record<ContributionTypeKind, Kind>> = {
  Fixed: { input: amount, shape: z.bigint(), view: amountOf },
  Percentage: { input: share, shape: z.number(), view: shareNumber },
};
