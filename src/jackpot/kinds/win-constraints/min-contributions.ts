import { CYCLE_CONTRIBUTIONS } from '../../state/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** Contributions that fed the pot in this cycle, this one included. */
export const minContributions: WinConstraintType = {
  read(parameters) {
    const least = parameters.integer('MinContributions', 0, 0) ?? 0;
    return {
      kind: 'MinContributions',
      holds: ({ words, potAt }) => words[potAt + CYCLE_CONTRIBUTIONS]! >= least,
    };
  },
};
