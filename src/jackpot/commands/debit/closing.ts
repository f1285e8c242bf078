import type { CreditRecord } from '../../../messages/settlements.ts';
import { closingId } from '../../rules/credits/settlement-names.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenDebit } from '../../state/settlements/open-debits.ts';
import type { Entry } from '../contribution/entry.ts';

/** With `close_rounds` a credit of zero closes the game round of a debit that won nothing (docs/rules/settlements.md "Credits"). */
export function openClosing(state: LaneState, entry: Entry, debit: OpenDebit, sequence: number): void {
  const { command } = entry.brand;
  if (!command.closeRounds || !command.wallet) return;
  const credit: CreditRecord = {
    number: state.nextNumber(),
    transactionId: closingId(debit.contributionId),
    batchId: '',
    kind: 'close',
    state: 'pending',
    instance: entry.instance.id,
    pot: '',
    instanceCount: 0,
    sequence,
    brand: debit.brand,
    player: debit.player,
    amountAtoms: 0n,
    currency: entry.instance.configuration.currency,
    paidAtoms: 0n,
    paidCurrency: debit.currency,
    backAtoms: 0n,
    rateVersion: debit.rateVersion,
    contributionId: debit.contributionId,
    source: debit.source,
    provider: debit.provider,
    wallet: true,
    openedMs: state.nowMs,
    changedMs: state.nowMs,
    reason: '',
  };
  state.credits.set(credit);
  state.addWork({ kind: 'CreditDue', credit });
}
