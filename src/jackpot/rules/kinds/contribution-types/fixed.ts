import { parseAmount } from '../../../../lib/money.ts';
import type { ContributionType } from './type.ts';

/** A fixed number of units, limited by what is left. */
export const fixed: ContributionType = {
  read(value) {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const parsed = parseAmount(value);
    return parsed.ok && parsed.atoms >= 0n ? { fixedAtoms: parsed.atoms, percentage: null } : null;
  },
};
