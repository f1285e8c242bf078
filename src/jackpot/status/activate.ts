import { least, MAX_AMOUNT_ATOMS } from '../../lib/money.ts';
import { readWide, writeWide } from '../../lib/wide.ts';
import { beginEpoch } from '../draw/epoch.ts';
import { beginRound } from '../raffle/round.ts';
import {
  CURRENT,
  CYCLE,
  ENABLED,
  INITIAL_COST,
  OPERATOR_CAPITAL,
  OVERFLOW,
  potAt,
} from '../state/accounts.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { post } from '../state/ledger.ts';
import { openCycle } from '../win/reseed.ts';
import { changeStatus } from './change.ts';

/** Pending becomes Active: initial seeds are posted (a switch's target has its money), then the first epoch begins. */
export function activate(state: LaneState, instance: Instance, reason: string): void {
  state.touch(instance);
  const { words } = instance;
  for (const pot of instance.pots) {
    const at = potAt(pot.index);
    const { enabled } = pot.effective;
    const initialSeedAtoms = instance.switchedFrom === '' ? pot.effective.initialSeedAtoms : 0n;
    post(words, OPERATOR_CAPITAL, at + CURRENT, initialSeedAtoms);
    // Somebody may have raised the value before (A22): no pot passes its maximum.
    const above = readWide(words, at + CURRENT) - (pot.effective.capAtoms ?? MAX_AMOUNT_ATOMS);
    if (above > 0n) post(words, at + CURRENT, at + OVERFLOW, least(above, initialSeedAtoms));
    writeWide(words, at + INITIAL_COST, initialSeedAtoms);
    words[at + CYCLE] = 1;
    words[at + ENABLED] = enabled ? 1 : 0;
    openCycle(words, at, null, pot.effective, state.nowMs);
  }
  instance.refresh();
  if (instance.raffle !== null) beginRound(instance, state.nowMs, state.nowMs);
  beginEpoch(state, instance);
  changeStatus(state, instance, 'Active', reason);
}
