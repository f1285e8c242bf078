import { readWide } from '../../../lib/wide.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { FlushSettled } from '../../../messages/settlement-commands.ts';
import { flushIdOf } from '../../../messages/transaction-ids.ts';
import { done, suspendInstance } from '../../rules/statuses/change.ts';
import { successorOf } from '../../rules/switches/successor.ts';
import { recordTransfer, transferAtoms } from '../../rules/transfers/transfers.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { diversionAt, diversionPendingAt, externalAt } from '../../state/money/accounts.ts';
import { findBreach, post } from '../../state/money/ledger.ts';

/** A pool that has reached its threshold was set aside by the contribution at hand: it is to be delivered. */
export function openFlush(state: LaneState, instance: Instance): void {
  const { balances, configuration } = instance;
  const { diversion } = configuration.house;
  if (diversion === null || instance.flush !== null) return;
  if (balances[diversionPendingAt] === 0 && balances[diversionPendingAt + 1] === 0) return;
  instance.flushes += 1;
  instance.flush = {
    flushId: flushIdOf(instance.id, instance.flushes),
    instance: instance.id,
    endpoint: diversion.endpoint,
    accountId: diversion.accountId,
    amountAtoms: readWide(balances, diversionPendingAt),
    currency: configuration.currency,
    openedMs: state.nowMs,
  };
  state.addWork({ kind: 'FlushDue', flush: instance.flush });
}

/** Confirmed: the pool is outside. Failed: it is back, with the successor if the instance was switched. */
export function settleFlush(state: LaneState, command: FlushSettled): CommandOutcome {
  const instance = state.instances.get(command.instance);
  const taker = successorOf(state, command.instance);
  if (instance === undefined || taker === undefined) return refused('instance_not_found');
  const { flush } = instance;
  if (flush !== null && flush.flushId === command.flushId) {
    const breach =
      command.result === 'confirmed' || taker === instance
        ? settleInPlace(state, instance, command.result, flush.amountAtoms)
        : bringBack(state, instance, taker, flush.amountAtoms);
    if (breach !== null) {
      suspendInstance(state, taker, breach);
      return refused('instance_suspended', `the instance is suspended: ${breach}`);
    }
    instance.flush = null;
  }
  return done(instance);
}

/** Returns why the accounts have no room, then nothing has moved; null: done. */
function settleInPlace(
  state: LaneState,
  instance: Instance,
  result: FlushSettled['result'],
  amountAtoms: bigint,
): string | null {
  state.touch(instance);
  const to = result === 'confirmed' ? externalAt : diversionAt;
  post(instance.balances, diversionPendingAt, to, amountAtoms);
  const breach = findBreach(instance.balances, instance.pots.length);
  if (breach !== null) post(instance.balances, to, diversionPendingAt, amountAtoms);
  return breach;
}

/** As settleInPlace, and on to the pool of another instance. */
function bringBack(state: LaneState, from: Instance, to: Instance, amountAtoms: bigint): string | null {
  const before = to.balances.slice();
  const after = { from: from.balances.slice(), to: to.balances.slice() };
  post(after.from, diversionPendingAt, diversionAt, amountAtoms);
  const returned = after.from.slice();
  transferAtoms(after.from, diversionAt, after.to, diversionAt, amountAtoms);
  const breach = findBreach(after.to, to.pots.length);
  if (breach !== null) return breach;
  state.touch(from);
  state.touch(to);
  from.balances.set(after.from);
  to.balances.set(after.to);
  recordTransfer(state, from, returned, 'switch', to.id);
  recordTransfer(state, to, before, 'receipt', from.id);
  return null;
}
