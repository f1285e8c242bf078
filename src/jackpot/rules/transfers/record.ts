import type { Json } from '../../../lib/canonical-json.ts';
import { readWide } from '../../../lib/wide.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { seedDeficitAt } from '../../state/money/accounts.ts';
import { accountsOf } from '../../state/money/ledger.ts';
import { recordEvent } from '../draws/record-event.ts';

/**
 * A separate record for balances that came from another instance, went to one, or to the operator (`other` empty);
 * `before` are the balances before the move. An instance that has not begun to draw has no such record: its first
 * header shows them.
 */
export function recordTransfer(
  state: LaneState,
  instance: Instance,
  before: Float64Array,
  type: 'switch' | 'completion' | 'receipt',
  other: string,
): void {
  if (instance.epochs.running === null) return;
  recordEvent(state, instance, (seq) => ({
    type,
    seq,
    other: other === '' ? null : other,
    accounts: changesOf(instance, before),
    accumulated_seed_deficit: (
      readWide(instance.balances, seedDeficitAt) - readWide(before, seedDeficitAt)
    ).toString(),
  }));
}

/** By how much each account has changed, those that did not left out; a pot's accounts as `pot.account`. */
function changesOf(instance: Instance, before: Float64Array): Json {
  const ids = instance.pots.map((pot) => pot.effective.id);
  const earlier = new Map(accountsOf(before, ids));
  const changes = accountsOf(instance.balances, ids).flatMap(([name, atoms]) => {
    const change = atoms - (earlier.get(name) ?? 0n);
    return change === 0n ? [] : [[name, change.toString()] as const];
  });
  return Object.fromEntries(changes);
}
