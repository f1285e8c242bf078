import { maxAmountAtoms } from '../../lib/money.ts';
import { readWide } from '../../lib/wide.ts';
import type { AdjustPot } from '../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import { type Refusal, refused } from '../../messages/refusals.ts';
import { closeGroup } from '../draw/close.ts';
import { beginRecord } from '../draw/draw.ts';
import { Group } from '../draw/group.ts';
import { unpriced } from '../recorder.ts';
import { adjustmentAt, currentAt, houseAt, potAt, seedAt, surplusAt } from '../state/accounts.ts';
import type { Instance, InstanceStatus } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { findBreach, post } from '../state/ledger.ts';
import { isOutdated } from '../status/change.ts';

const open: ReadonlySet<InstanceStatus> = new Set(['Pending', 'Active', 'Paused']);
const offsets = { current_value: currentAt, seed_value: seedAt, surplus_seed: surplusAt } as const;

/** A22: sets an account to a value; the difference is booked against `adjustment`. */
export function adjustPot(state: LaneState, command: AdjustPot): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
  if (!open.has(instance.status)) return refused('invalid_transition', 'the instance is over');
  const account = accountOf(instance, command);
  if (typeof account !== 'number') return account;
  const before = readWide(instance.balances, account);
  const refusal = amountRefusal(instance, command, before);
  if (refusal !== null) return refusal;
  state.touch(instance);
  instance.saved.set(instance.balances);
  post(instance.balances, adjustmentAt, account, command.targetAtoms - before);
  const breach = findBreach(instance.balances, instance.pots.length);
  if (breach !== null) {
    instance.balances.set(instance.saved);
    return refused('amount_out_of_range', breach);
  }
  instance.lastUpdatedMs = state.nowMs;
  record(state, instance, command, before);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

function accountOf(instance: Instance, command: AdjustPot): number | Refusal {
  if (command.pot === 'house') {
    return command.account === 'current_value'
      ? houseAt
      : refused('invalid_parameter', 'the house pot has a current value only');
  }
  const index = instance.potIndex(command.pot);
  return index < 0 ? refused('pot_not_found') : potAt(index) + offsets[command.account];
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

/** A separate record once draws have begun; before that the header of the first epoch shows the value. */
function record(state: LaneState, instance: Instance, command: AdjustPot, before: bigint): void {
  if (instance.epochs.running === null) return;
  const group = new Group();
  group.begin(instance);
  const sequence = instance.sequence + 1;
  beginRecord(group, sequence, 0, 0, state.nowMs, 0);
  group.details.push({
    type: 'adjustment',
    seq: sequence,
    pot: command.pot,
    account: command.account,
    before: before.toString(),
    after: command.targetAtoms.toString(),
  });
  if (state.recorder !== null) group.note(sequence, 0, 0, unpriced(state.nowMs));
  instance.sequence = sequence;
  closeGroup(state, group);
}
