import { readWide } from '../../../lib/wide.ts';
import { CURRENT } from '../../state/accounts.ts';
import type { WinConstraintKind } from './index.ts';

export const minPotValue: WinConstraintKind = (parameters) => {
  const leastAtoms = parameters.requiredAmount('MinPotValue');
  return {
    kind: 'MinPotValue',
    holds: ({ words, potAt }) => readWide(words, potAt + CURRENT) >= leastAtoms,
  };
};
