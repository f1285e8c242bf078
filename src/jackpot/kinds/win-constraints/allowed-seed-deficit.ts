import { readWide } from '../../../lib/wide.ts';
import { HOUSE, SEED, SEED_DEFICIT, SURPLUS } from '../../state/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** accumulated_seed_deficit and what a win now would add to it stay within x. */
export const allowedSeedDeficit: WinConstraintType = {
  read(parameters) {
    const allowedAtoms = parameters.requiredAmount('AllowedSeedDeficit');
    return {
      kind: 'AllowedSeedDeficit',
      holds({ words, potAt, minReseedAtoms }) {
        const covered =
          readWide(words, potAt + SEED) + readWide(words, potAt + SURPLUS) + readWide(words, HOUSE);
        const missing = minReseedAtoms > covered ? minReseedAtoms - covered : 0n;
        return readWide(words, SEED_DEFICIT) + missing <= allowedAtoms;
      },
    };
  },
};
