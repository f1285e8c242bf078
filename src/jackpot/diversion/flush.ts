import { readWide } from '../../lib/wide.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import { refused } from '../../messages/refusals.ts';
import type { FlushSettled } from '../../messages/settlement-commands.ts';
import { flushIdOf } from '../settlement-names.ts';
import { diversionAt, diversionPendingAt, externalAt } from '../state/accounts.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { findBreach, post } from '../state/ledger.ts';
import { suspendInstance } from '../status/suspend.ts';

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

/** Delivered: the pool is outside. Failed for good: it is back, and leaves again with the next contribution. */
export function settleFlush(state: LaneState, command: FlushSettled): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  const { flush } = instance;
  if (flush !== null && flush.flushId === command.flushId) {
    state.touch(instance);
    const to = command.result === 'confirmed' ? externalAt : diversionAt;
    post(instance.balances, diversionPendingAt, to, flush.amountAtoms);
    const breach = findBreach(instance.balances, instance.pots.length);
    if (breach !== null) {
      post(instance.balances, to, diversionPendingAt, flush.amountAtoms);
      suspendInstance(state, instance, breach);
      return refused('instance_suspended', `the instance is suspended: ${breach}`);
    }
    instance.flush = null;
  }
  return { kind: 'Done', instance: instance.id, version: instance.version };
}
