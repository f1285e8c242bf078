import { assert } from '../../../lib/assert.ts';
import type { CreditRecord, CreditState } from '../../../messages/settlements.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { fxAt, playerAt, winLiabilityAt } from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';

/** Shown as withheld: a person or an unknown answer is awaited (docs/rules/wins-and-reseeding.md "Withheld wins"). */
const withheldStates: ReadonlySet<CreditState> = new Set(['withheld', 'unknown', 'dead']);

/** Moves a credit to a state: the winner's record follows, the money leaves where it is settled. */
export function changeCredit(
  state: LaneState,
  credit: CreditRecord,
  next: CreditState,
  reason: string,
): void {
  const instance = state.instances.get(credit.instance);
  assert(instance !== undefined, 'a credit belongs to an instance');
  state.touch(instance);
  const changed: CreditRecord = { ...credit, state: next, reason, changedMs: state.nowMs };
  if (next === 'settled') settle(state, instance, changed);
  else state.credits.set(changed);
  if (changed.kind === 'close') {
    if (next === 'pending') state.addWork({ kind: 'CreditDue', credit: changed });
    return;
  }
  instance.winners.mark(
    changed.pot,
    changed.brand,
    changed.player,
    changed.sequence,
    changed.kind,
    withheldStates.has(next),
  );
  if (next === 'pending') state.addWork({ kind: 'CreditDue', credit: changed });
  state.announce({ kind: 'PayoutChanged', credit: changed });
}

/** The credit leaves; account `fx` takes what the player's floor and the way back leave. */
function settle(state: LaneState, instance: Instance, credit: CreditRecord): void {
  post(instance.balances, winLiabilityAt, playerAt, credit.backAtoms);
  post(instance.balances, winLiabilityAt, fxAt, credit.amountAtoms - credit.backAtoms);
  state.credits.delete(credit.transactionId);
}
