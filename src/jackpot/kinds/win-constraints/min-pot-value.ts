import { readWide } from '../../../lib/wide.ts';
import { CURRENT } from '../../state/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

export const minPotValue: WinConstraintType = {
  read(parameters) {
    const leastAtoms = parameters.requiredAmount('MinPotValue');
    return {
      kind: 'MinPotValue',
      holds: ({ words, potAt }) => readWide(words, potAt + CURRENT) >= leastAtoms,
    };
  },
};
