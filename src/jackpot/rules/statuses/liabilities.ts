import { readWide } from '../../../lib/wide.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';
import { predecessorsOf } from '../switches/successor.ts';

/** Debits of an instance that wait for the wallet's word. */
export function openDebits(state: LaneState, instance: Instance): number {
  return state.debits.countOf(instance.id);
}

/** Whether players, or another instance's players, have paid into it. */
export function holdsPlayersMoney({ balances }: Instance): boolean {
  return (
    readWide(balances, accounts.playerAt) !== 0n ||
    readWide(balances, accounts.transferAt) !== 0n ||
    balances[accounts.totalContributionsAt] !== 0
  );
}

/** What the instances that were switched to this one have open and would bring to it; null: nothing. */
export function unsettledBefore(state: LaneState, instance: Instance): string | null {
  for (const predecessor of predecessorsOf(state, instance)) {
    if (
      openDebits(state, predecessor) > 0 ||
      readWide(predecessor.balances, accounts.diversionPendingAt) !== 0n
    )
      return `debits or a flush of ${predecessor.id}, which was switched to it, are under way`;
  }
  return null;
}

/** The open liabilities of an instance, for its administrator; null: everything is settled. */
export function unsettled(state: LaneState, instance: Instance): string | null {
  if (openDebits(state, instance) > 0) return 'contributions wait for their debits';
  if (readWide(instance.balances, accounts.winLiabilityAt) !== 0n) return 'wins wait for their credits';
  if (readWide(instance.balances, accounts.diversionPendingAt) !== 0n)
    return 'a diversion flush is on its way';
  return null;
}
