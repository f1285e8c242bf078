import { half, readWide } from '../../../../lib/wide.ts';
import { houseAt, seedAt, seedDeficitAt, surplusAt } from '../../../state/money/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** accumulated_seed_deficit and what a win now would add to it stay within x. */
export const allowedSeedDeficit: WinConstraintType = {
  read(parameters) {
    const allowedAtoms = parameters.requiredAmount('AllowedSeedDeficit');
    const allowed = Number(allowedAtoms);
    return {
      kind: 'AllowedSeedDeficit',
      holds({ balances, potAt, minReseedAtoms }) {
        const covered =
          estimate(balances, potAt + seedAt) +
          estimate(balances, potAt + surplusAt) +
          estimate(balances, houseAt);
        const missing = Math.max(0, Number(minReseedAtoms) - covered);
        const above = estimate(balances, seedDeficitAt) + missing - allowed;
        // Far from the limit nothing needs exact comparison.
        if (Math.abs(above) > estimateLimit) return above < 0;
        return exactly(balances, potAt, minReseedAtoms) <= allowedAtoms;
      },
    };
  },
};

/** Each of the few amounts that are added is off by 2^11 atoms at most. */
const estimateLimit = 65_536;

function estimate(balances: Float64Array, at: number): number {
  return balances[at]! * half + balances[at + 1]!;
}

function exactly(balances: Float64Array, potAt: number, minReseedAtoms: bigint): bigint {
  const covered =
    readWide(balances, potAt + seedAt) + readWide(balances, potAt + surplusAt) + readWide(balances, houseAt);
  const missing = minReseedAtoms > covered ? minReseedAtoms - covered : 0n;
  return readWide(balances, seedDeficitAt) + missing;
}
