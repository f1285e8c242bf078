import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { winConstraints } from '../../../src/jackpot/rules/kinds/win-constraints.ts';
import {
  balanceCount,
  houseAt,
  potAt,
  seedAt,
  seedDeficitAt,
  surplusAt,
} from '../../../src/jackpot/state/money/accounts.ts';
import { Reader } from '../../../src/lib/document-reader.ts';
import { formatAmount, maxAmountAtoms } from '../../../src/lib/money.ts';
import { writeWide } from '../../../src/lib/wide.ts';

describe('AllowedSeedDeficit', () => {
  it('is exact to the atom, however large the amounts are', () => {
    const amount = fc.bigInt({ min: 0n, max: maxAmountAtoms / 4n });
    const amounts = fc.tuple(amount, amount, amount, amount, amount);
    fc.assert(
      fc.property(
        amounts,
        fc.bigInt({ min: -3n, max: 3n }),
        ([seed, surplus, house, deficit, reseed], off) => {
          const balances = new Float64Array(balanceCount(1));
          writeWide(balances, potAt(0) + seedAt, seed);
          writeWide(balances, potAt(0) + surplusAt, surplus);
          writeWide(balances, houseAt, house);
          writeWide(balances, seedDeficitAt, deficit);
          const covered = seed + surplus + house;
          const needed = deficit + (reseed > covered ? reseed - covered : 0n);
          const allowed = needed + off < 0n ? 0n : needed + off;
          const parameters = new Reader({ AllowedSeedDeficit: formatAmount(allowed) }, '', []);
          const view = { balances, potAt: potAt(0), minReseedAtoms: reseed, timestampMs: 0 };
          expect(winConstraints.AllowedSeedDeficit.read(parameters).holds(view)).toBe(needed <= allowed);
        },
      ),
    );
  });
});
