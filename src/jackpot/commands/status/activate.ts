import { lesserOf, maxAmountAtoms } from '../../../lib/money.ts';
import { readWide, writeWide } from '../../../lib/wide.ts';
import { beginEpoch } from '../../rules/epochs/epoch.ts';
import { openCycle } from '../../rules/pots/reseed.ts';
import { beginRound } from '../../rules/raffles/round.ts';
import { changeStatus } from '../../rules/statuses/change.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';

/** Posts initial seeds, except to a switch's target, which already has its money; begins the first epoch. */
export function activate(
  state: LaneState,
  instance: Instance,
  reason: string,
  status: 'Active' | 'Paused' = 'Active',
): void {
  state.touch(instance);
  const { balances } = instance;
  for (const pot of instance.pots) {
    const at = accounts.potAt(pot.index);
    const { enabled } = pot.effective;
    const initialSeedAtoms = instance.switchedFrom === '' ? pot.effective.initialSeedAtoms : 0n;
    post(balances, accounts.operatorCapitalAt, at + accounts.currentAt, initialSeedAtoms);
    // A22 may have raised the value before: no pot passes its maximum.
    const above = readWide(balances, at + accounts.currentAt) - (pot.effective.capAtoms ?? maxAmountAtoms);
    if (above > 0n)
      post(balances, at + accounts.currentAt, at + accounts.overflowAt, lesserOf(above, initialSeedAtoms));
    writeWide(balances, at + accounts.initialCostAt, initialSeedAtoms);
    balances[at + accounts.cycleAt] = 1;
    balances[at + accounts.enabledAt] = enabled ? 1 : 0;
    openCycle(balances, at, null, pot.effective, state.nowMs);
  }
  instance.refresh();
  if (instance.raffle !== null) beginRound(instance, state.nowMs, state.nowMs);
  beginEpoch(state, instance);
  changeStatus(state, instance, status, reason);
}
