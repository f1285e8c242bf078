import { parseFraction, shareDecimals } from '../../../../lib/fraction.ts';
import type { ContributionType } from './type.ts';

/** A part of what is contributed, of C, or of a pot's share: floored, limited by what is left. */
export const percentage: ContributionType = {
  read(value) {
    const fraction = parseFraction(value, shareDecimals);
    return fraction === null ? null : { fixedAtoms: null, percentage: fraction };
  },
};
