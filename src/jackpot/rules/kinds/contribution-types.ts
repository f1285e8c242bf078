import { nonNegativeAmount } from '../../../lib/document-reader.ts';
import { parseFraction, shareDecimals } from '../../../lib/fraction.ts';
import type { ContributionTypeKind } from '../../../messages/kinds.ts';
import type { Share } from '../../state/configuration/configuration.ts';

interface ContributionType {
  /** null where the value is malformed. */
  read(value: unknown): Share | null;
}

export const contributionTypes: Readonly<Record<ContributionTypeKind, ContributionType>> = {
  /** A number of units, limited by what is left. */
  Fixed: {
    read(value) {
      const atoms = nonNegativeAmount(value);
      return atoms === null ? null : { fixedAtoms: atoms, percentage: null };
    },
  },
  /** A part of what is contributed, of C, or of a pot's share: floored, limited by what is left. */
  Percentage: {
    read(value) {
      const fraction = parseFraction(value, shareDecimals);
      return fraction === null ? null : { fixedAtoms: null, percentage: fraction };
    },
  },
};
