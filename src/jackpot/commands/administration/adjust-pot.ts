import { maxAmountAtoms } from '../../../lib/money.ts';
import { readWide, writeWide } from '../../../lib/wide.ts';
import type { AdjustPot } from '../../../messages/instance-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { recordEvent } from '../../rules/draws/close.ts';
import { changing, isOpen } from '../../rules/statuses/change.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';
import { findBreach, post } from '../../state/money/ledger.ts';

const offsets = {
  current_value: accounts.currentAt,
  seed_value: accounts.seedAt,
  surplus_seed: accounts.surplusAt,
} as const;

/** A22: sets an account to a value; the difference is booked against `adjustment`. */
export const adjustPot = changing<AdjustPot>((state, instance, command) => {
  if (!isOpen(instance)) return refused('invalid_transition', 'the instance is over');
  const account = accountOf(instance, command);
  if (typeof account !== 'number') return account;
  const before = readWide(instance.balances, account);
  const refusal = amountRefusal(instance, command, before) ?? approvalRefusal(state, command, before);
  if (refusal !== null) return refusal;
  state.touch(instance);
  instance.saved.set(instance.balances);
  post(instance.balances, accounts.adjustmentAt, account, command.targetAtoms - before);
  const breach = findBreach(instance.balances, instance.pots.length);
  if (breach !== null) {
    instance.balances.set(instance.saved);
    return refused('amount_out_of_range', breach);
  }
  const rules = instance.epochs.running?.rules ?? 1;
  // No contribution brought the difference: the odds of a Threshold go on from the new value.
  if (rules !== 1 && command.account === 'current_value' && account !== accounts.houseAt)
    writeWide(instance.balances, account - accounts.currentAt + accounts.lastDrawnAt, command.targetAtoms);
  instance.lastUpdatedMs = state.nowMs;
  record(state, instance, command, before);
  return null;
});

function accountOf(instance: Instance, command: AdjustPot): number | Refusal {
  if (command.pot === 'house') {
    return command.account === 'current_value'
      ? accounts.houseAt
      : refused('invalid_parameter', 'the house pot has a current value only');
  }
  const index = instance.potIndex(command.pot);
  return index < 0 ? refused('pot_not_found') : accounts.potAt(index) + offsets[command.account];
}

function amountRefusal(instance: Instance, command: AdjustPot, before: bigint): Refusal | null {
  const { targetAtoms } = command;
  if (targetAtoms < 0n) return refused('amount_negative');
  if (targetAtoms > maxAmountAtoms) return refused('amount_out_of_range');
  if (command.account !== 'current_value') return null;
  const maximum = instance.pots[instance.potIndex(command.pot)]?.effective.capAtoms ?? null;
  if (maximum !== null && targetAtoms > maximum) return refused('pot_limit_exceeded');
  return targetAtoms < before && !command.mayDecrease
    ? refused('forbidden', 'lowering a current value needs the permission pot.decrease')
    : null;
}

/** Judged here: a value that was read before may have changed since (docs/rules/approvals.md "Changes"). */
function approvalRefusal(
  { rules }: LaneState,
  { targetAtoms, unapprovedLimitAtoms: limit }: AdjustPot,
  before: bigint,
): Refusal | null {
  if (!rules.approvalsAreFenced || limit === undefined) return null;
  return targetAtoms < before || targetAtoms > limit
    ? refused('forbidden', 'the adjustment needs a second administrator')
    : null;
}

/** A separate record once draws have begun; before that the header of the first epoch shows the value. */
function record(state: LaneState, instance: Instance, command: AdjustPot, before: bigint): void {
  if (instance.epochs.running === null) return;
  recordEvent(state, instance, (seq) => ({
    type: 'adjustment',
    seq,
    pot: command.pot,
    account: command.account,
    before: before.toString(),
    after: command.targetAtoms.toString(),
  }));
}
