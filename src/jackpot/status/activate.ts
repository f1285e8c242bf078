import { writeWide } from '../../lib/wide.ts';
import { beginEpoch } from '../draw/epoch.ts';
import { CURRENT, CYCLE, ENABLED, INITIAL_COST, OPERATOR_CAPITAL, potAt } from '../state/accounts.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { post } from '../state/ledger.ts';
import { openCycle } from '../win/reseed.ts';
import { changeStatus } from './change.ts';

/** Pending becomes Active for the first time: initial seeds are posted, then the first epoch begins. */
export function activate(state: LaneState, instance: Instance, reason: string): void {
  state.touch(instance);
  const { words } = instance;
  for (const pot of instance.pots) {
    const at = potAt(pot.index);
    const { initialSeedAtoms, enabled } = pot.effective;
    post(words, OPERATOR_CAPITAL, at + CURRENT, initialSeedAtoms);
    writeWide(words, at + INITIAL_COST, initialSeedAtoms);
    words[at + CYCLE] = 1;
    words[at + ENABLED] = enabled ? 1 : 0;
    openCycle(words, at, null, pot.effective, state.nowMs);
  }
  instance.refresh();
  beginEpoch(state.hashing, instance, state.nowMs, state.events);
  changeStatus(state, instance, 'Active', reason);
}
