import type { Operation } from '../../operation/operation.ts';
import { listEpochsOperation } from './list-epochs.ts';
import { readConservationOperation } from './read-conservation.ts';
import { readEpochOperation } from './read-epoch.ts';
import { readRulesOperation } from './read-rules.ts';

/** What anyone may check of an instance: its rules and, unless its operator keeps them to its own, its draws and accounts. */
export const fairness: readonly Operation[] = [
  readRulesOperation,
  listEpochsOperation,
  readEpochOperation,
  readConservationOperation,
];
