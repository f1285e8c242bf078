import { fixed } from './fixed.ts';
import { percentage } from './percentage.ts';
import type { ContributionType, ContributionTypeKind } from './type.ts';

/** A new kind is one file, one member of ContributionTypeKind, and one line here. */
export const contributionTypes: Readonly<Record<ContributionTypeKind, ContributionType>> = {
  Fixed: fixed,
  Percentage: percentage,
};
