import { readWide } from '../../../lib/wide.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { changeStatus, isOpen, noteChange } from '../../rules/statuses/change.ts';
import { unsettled, unsettledBefore } from '../../rules/statuses/liabilities.ts';
import { moveWhole, recordTransfer, transferAtoms } from '../../rules/transfers/transfers.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';
import { findBreach, post } from '../../state/money/ledger.ts';

/** The players' money and the operator's reserves for them; the surplus is the operator's own. */
const playersAccounts = [accounts.currentAt, accounts.seedAt, accounts.overflowAt, accounts.carryAt] as const;
/**
 * Completes a Resolving instance once everything is settled (docs/rules/statuses.md "Completion"). With `to`
 * every balance goes to that instance; without it house and surplus go to the operator, and nothing else may
 * be left.
 */
export function complete(state: LaneState, instance: Instance, to: string, reason: string): Refusal | null {
  const { raffle } = instance;
  const isEnding = raffle !== null && raffle.phase.kind !== 'Over';
  const obstacle = isEnding
    ? 'the round of the raffle is not over yet'
    : (unsettled(state, instance) ?? unsettledBefore(state, instance));
  if (obstacle !== null) return refused('invalid_transition', obstacle);
  const refusal = to === '' ? returnToOperator(state, instance) : handOver(state, instance, to);
  if (refusal !== null) return refusal;
  changeStatus(state, instance, 'Completed', reason);
  return null;
}

function returnToOperator(state: LaneState, instance: Instance): Refusal | null {
  const { balances } = instance;
  const left = instance.pots.some(({ index }) =>
    playersAccounts.some((account) => readWide(balances, accounts.potAt(index) + account) !== 0n),
  );
  if (left || readWide(balances, accounts.diversionAt) !== 0n) {
    return refused(
      'invalid_transition',
      'there is money left: name an instance of the group in `to` that takes it',
    );
  }
  state.touch(instance);
  const before = balances.slice();
  post(balances, accounts.houseAt, accounts.operatorCapitalAt, readWide(balances, accounts.houseAt));
  for (const { index } of instance.pots) {
    const surplus = accounts.potAt(index) + accounts.surplusAt;
    post(balances, surplus, accounts.operatorCapitalAt, readWide(balances, surplus));
  }
  recordTransfer(state, instance, before, 'completion', '');
  return null;
}

function handOver(state: LaneState, instance: Instance, to: string): Refusal | null {
  const target = state.instances.get(to);
  if (target === undefined || target === instance)
    return refused('instance_not_found', '`to` names no instance');
  if (target.facts.group !== instance.facts.group) return refused('group_mismatch');
  if (target.configuration.currency !== instance.configuration.currency) return refused('currency_mismatch');
  if (!isOpen(target)) return refused('invalid_transition', 'the instance named in `to` is over itself');
  const before = { source: instance.balances.slice(), target: target.balances.slice() };
  const after = { source: instance.balances.slice(), target: target.balances.slice() };
  moveAll(instance, after.source, target, after.target);
  const breach = findBreach(after.target, target.pots.length);
  if (breach !== null) return refused('amount_out_of_range', breach);
  state.touch(instance);
  state.touch(target);
  instance.balances.set(after.source);
  target.balances.set(after.target);
  recordTransfer(state, instance, before.source, 'completion', target.id);
  recordTransfer(state, target, before.target, 'receipt', instance.id);
  state.movedDeadlines.add(target);
  noteChange(state, target);
  return null;
}

/** Pots of the same id take each other's balances, the first pot those of pots that the target lacks. */
function moveAll(from: Instance, source: Float64Array, to: Instance, target: Float64Array): void {
  for (const { index, effective } of from.pots) {
    const taker = to.pots[Math.max(0, to.potIndex(effective.id))]!;
    for (const account of [...playersAccounts, accounts.surplusAt]) {
      const at = accounts.potAt(index) + account;
      transferAtoms(source, at, target, accounts.potAt(taker.index) + account, readWide(source, at));
    }
  }
  moveWhole(source, target);
  for (const { index, effective } of to.pots) {
    spillReceived(
      target,
      accounts.potAt(index),
      readWide(to.balances, accounts.potAt(index) + accounts.currentAt),
      effective.reseedCapAtoms,
    );
  }
}

/** A received balance fills a pot only up to its reseed cap; the rest waits in the overflow. */
function spillReceived(
  balances: Float64Array,
  at: number,
  beforeAtoms: bigint,
  capAtoms: bigint | null,
): void {
  if (capAtoms === null) return;
  const limit = beforeAtoms > capAtoms ? beforeAtoms : capAtoms;
  const above = readWide(balances, at + accounts.currentAt) - limit;
  if (above > 0n) post(balances, at + accounts.currentAt, at + accounts.overflowAt, above);
}
