import { cycleContributionsAt } from '../../../state/money/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** Contributions that fed the pot in this cycle, this one included. */
export const minContributions: WinConstraintType = {
  read(parameters) {
    const min = parameters.integer('MinContributions', 0, 0) ?? 0;
    return {
      kind: 'MinContributions',
      holds: ({ balances, potAt }) => balances[potAt + cycleContributionsAt]! >= min,
    };
  },
};
