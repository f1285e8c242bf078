import { parseFraction, SHARE_DECIMALS } from '../../../lib/fraction.ts';
import type { ContributionType } from './type.ts';

/** A part of what is contributed, of C, or of a pot's share: floored, limited by what is left. */
export const percentage: ContributionType = {
  read(value) {
    const fraction = parseFraction(value, SHARE_DECIMALS);
    return fraction === null ? null : { fixedAtoms: null, percentage: fraction };
  },
};
