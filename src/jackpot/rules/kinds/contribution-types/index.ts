import type { ContributionTypeKind } from '../../../../messages/kinds.ts';
import { fixed } from './fixed.ts';
import { percentage } from './percentage.ts';
import type { ContributionType } from './type.ts';

export const contributionTypes: Readonly<Record<ContributionTypeKind, ContributionType>> = {
  Fixed: fixed,
  Percentage: percentage,
};
