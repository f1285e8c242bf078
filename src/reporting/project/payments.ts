import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { LoggedCommand } from '../../messages/commands.ts';
import type { CreditRecord, DebitRecord, SettlementRecord } from '../../messages/settlements.ts';
import type { BookedMessage, FlushChange, PaymentChange } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import { nullIfEmpty } from './contributions.ts';
import type { LaneFacts } from './facts.ts';
import type { RowPlaces } from './row-places.ts';

type PaymentRow = RowOf<'payments'>;

interface PaymentRows {
  readonly payments: readonly PaymentRow[];
  readonly payment_changes: readonly RowOf<'payment_changes'>[];
}

const failedStates: ReadonlySet<string> = new Set([
  ...['withheld', 'unknown', 'dead', 'refused', 'cancelled', 'failed'],
]);

/** Debits, credits and diversions that the message opened, changed or ended. */
export function paymentRows(message: BookedMessage, places: RowPlaces, facts: LaneFacts): PaymentRows {
  const applied = new Set(message.contributions.map((each) => each.contributionId));
  const payments: PaymentRow[] = [];
  const changes: RowOf<'payment_changes'>[] = [];
  const add = (index: number, state_before: string | null, row: PaymentRow): void => {
    const { transaction_id, kind, operator, brand, player, instance, state, reason, changed_by } = row;
    payments.push(row);
    const place = places.next(index);
    changes.push({
      ...place,
      ...{ transaction_id, kind, operator, brand, player, instance, state_before, state, reason, changed_by },
      failed: failedStates.has(state) ? place.time : null,
    });
  };
  for (const change of message.payments) {
    const row = changedRow(message, change, applied);
    if (row !== null) add(change.index, change.before === null ? null : stateOf(change.before), row);
  }
  for (const change of message.flushes) {
    const { operator } = facts.of(message, change.flush.instance);
    add(change.index, change.end === null ? null : 'pending', flushRow(message, change, operator));
  }
  return { payments, payment_changes: changes };
}

/** A debit or credit that is open after a message. */
export function openPaymentRow(at: At, record: SettlementRecord): PaymentRow {
  const is = { state: stateOf(record), closed: null, changed_by: null };
  return record.kind === 'debit'
    ? debitRow(at, record.debit, { ...is, changed: at.timestampMs, reason: null })
    : creditRow(at, record.credit, {
        ...is,
        changed: record.credit.changedMs,
        reason: nullIfEmpty(record.credit.reason),
      });
}

type At = Pick<BookedMessage, 'lane' | 'sequence' | 'timestampMs'>;
type Is = Pick<PaymentRow, 'state' | 'reason' | 'changed' | 'closed' | 'changed_by'>;

function stateOf(record: SettlementRecord): string {
  if (record.kind === 'credit') return record.credit.state;
  return record.debit.debited ? 'debited' : 'pending';
}

function changedRow(
  message: BookedMessage,
  { index, before, after }: PaymentChange,
  applied: ReadonlySet<string>,
): PaymentRow | null {
  const command = message.batch.commands[index];
  const changed_by = userOf(command);
  if (after !== null) return { ...openPaymentRow(message, after), changed_by };
  if (before === null) return null;
  const { timestampMs } = message;
  const is = { reason: reasonOf(command), changed: timestampMs, closed: timestampMs, changed_by };
  if (before.kind === 'credit') return creditRow(message, before.credit, { ...is, state: 'settled' });
  const { debit } = before;
  if (applied.has(debit.contributionId)) return debitRow(message, debit, { ...is, state: 'applied' });
  const isRefused = command?.kind === 'DebitSettled' && command.result === 'refused';
  return debitRow(message, debit, { ...is, state: isRefused ? 'refused' : 'cancelled' });
}

function debitRow({ lane, sequence }: At, debit: DebitRecord, is: Is): PaymentRow {
  return {
    transaction_id: debit.transactionId,
    kind: 'debit',
    lane,
    sequence,
    instance: debit.instance,
    ...{ pot: null, cycle: null, instance_sequence: null },
    operator: operatorOf(debit.brand),
    brand: debit.brand,
    player: debit.player,
    ...{ currency: null, amount: null },
    bonus_amount: debit.bonusAtoms,
    paid_currency: debit.currency,
    paid_amount: debit.amountAtoms,
    batch_id: debit.batch?.id ?? null,
    contribution_id: debit.contributionId,
    gameround: nullIfEmpty(debit.gameround),
    source: nullIfEmpty(debit.source),
    provider: nullIfEmpty(debit.provider),
    rate_version: debit.rateVersion,
    has_wallet: true,
    opened: debit.openedMs,
    deadline: debit.deadlineMs,
    ...is,
  };
}

function creditRow({ lane, sequence }: At, credit: CreditRecord, is: Is): PaymentRow {
  const isClosing = credit.kind === 'close';
  return {
    transaction_id: credit.transactionId,
    kind: credit.kind,
    lane,
    sequence,
    instance: credit.instance,
    pot: nullIfEmpty(credit.pot),
    cycle: isClosing ? null : credit.instanceCount,
    instance_sequence: credit.sequence,
    operator: operatorOf(credit.brand),
    brand: credit.brand,
    player: credit.player,
    currency: credit.currency,
    amount: credit.amountAtoms,
    bonus_amount: null,
    paid_currency: credit.paidCurrency,
    paid_amount: credit.paidAtoms,
    batch_id: nullIfEmpty(credit.batchId),
    contribution_id: nullIfEmpty(credit.contributionId),
    gameround: null,
    source: nullIfEmpty(credit.source),
    provider: nullIfEmpty(credit.provider),
    rate_version: credit.rateVersion,
    has_wallet: credit.wallet,
    opened: credit.openedMs,
    deadline: null,
    ...is,
  };
}

/** A diversion that failed has gone back to its pool. */
function flushRow(
  { lane, sequence, timestampMs }: At,
  { flush, end }: FlushChange,
  operator: string,
): PaymentRow {
  return {
    transaction_id: flush.flushId,
    kind: 'flush',
    state: end ?? 'pending',
    lane,
    sequence,
    instance: flush.instance,
    ...{ pot: null, cycle: null, instance_sequence: null },
    operator,
    ...{ brand: null, player: null },
    currency: flush.currency,
    amount: flush.amountAtoms,
    bonus_amount: null,
    paid_currency: flush.currency,
    paid_amount: flush.amountAtoms,
    ...{ batch_id: null, contribution_id: null, gameround: null },
    source: flush.accountId,
    ...{ provider: null, rate_version: null },
    has_wallet: false,
    opened: flush.openedMs,
    deadline: null,
    changed: timestampMs,
    closed: end === null ? null : timestampMs,
    ...{ reason: null, changed_by: null },
  };
}

/** Why something was done, as its command says. */
export function reasonOf(command: LoggedCommand | undefined): string | null {
  return command !== undefined && 'reason' in command ? nullIfEmpty(command.reason) : null;
}

/** The person who gave a command; null: none did. */
export function userOf(command: LoggedCommand | undefined): string | null {
  return command !== undefined && 'user' in command ? nullIfEmpty(command.user) : null;
}
