import { HALF, readWide } from '../../../lib/wide.ts';
import { HOUSE, SEED, SEED_DEFICIT, SURPLUS } from '../../state/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** accumulated_seed_deficit and what a win now would add to it stay within x. */
export const allowedSeedDeficit: WinConstraintType = {
  read(parameters) {
    const allowedAtoms = parameters.requiredAmount('AllowedSeedDeficit');
    const allowed = Number(allowedAtoms);
    return {
      kind: 'AllowedSeedDeficit',
      holds({ words, potAt, minReseedAtoms }) {
        const covered =
          estimate(words, potAt + SEED) + estimate(words, potAt + SURPLUS) + estimate(words, HOUSE);
        const missing = Math.max(0, Number(minReseedAtoms) - covered);
        const above = estimate(words, SEED_DEFICIT) + missing - allowed;
        // Far from the limit nothing needs exact comparison.
        if (Math.abs(above) > ESTIMATES_ARE_GOOD_TO) return above < 0;
        return exactly(words, potAt, minReseedAtoms) <= allowedAtoms;
      },
    };
  },
};

/** Each of the few amounts that are added is off by 2^11 atoms at most. */
const ESTIMATES_ARE_GOOD_TO = 65_536;

function estimate(words: Float64Array, at: number): number {
  return words[at]! * HALF + words[at + 1]!;
}

function exactly(words: Float64Array, potAt: number, minReseedAtoms: bigint): bigint {
  const covered = readWide(words, potAt + SEED) + readWide(words, potAt + SURPLUS) + readWide(words, HOUSE);
  const missing = minReseedAtoms > covered ? minReseedAtoms - covered : 0n;
  return readWide(words, SEED_DEFICIT) + missing;
}
