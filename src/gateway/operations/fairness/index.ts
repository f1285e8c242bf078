import type { Operation } from '../../operation.ts';
import { listEpochs } from './list-epochs.ts';
import { readConservation } from './read-conservation.ts';
import { readEpoch } from './read-epoch.ts';
import { readRules } from './read-rules.ts';

/** What anyone may check of an instance: its rules and, unless its operator keeps them to its own, its draws and accounts. */
export const fairness: readonly Operation[] = [readRules, listEpochs, readEpoch, readConservation];
