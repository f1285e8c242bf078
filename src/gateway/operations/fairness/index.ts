import type { Operation } from '../../operation.ts';
import { listEpochs } from './list-epochs.ts';
import { readConservation } from './read-conservation.ts';
import { readEpoch } from './read-epoch.ts';
import { readRules } from './read-rules.ts';

/** What anyone may check of an instance: its rules, its draws, its accounts. */
export const fairness: readonly Operation[] = [readRules, listEpochs, readEpoch, readConservation];
