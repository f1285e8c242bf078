import { readWide } from '../../../../lib/wide.ts';
import { currentAt } from '../../../state/money/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

export const minPotValue: WinConstraintType = {
  read(parameters) {
    const minAtoms = parameters.requiredAmount('MinPotValue');
    return {
      kind: 'MinPotValue',
      holds: ({ balances, potAt }) => readWide(balances, potAt + currentAt) >= minAtoms,
    };
  },
};
