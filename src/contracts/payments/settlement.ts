import * as z from 'zod';
import { type SettlementRecord, sharedBatch } from '../../messages/settlements.ts';
import { brandField, ownerField, ownIdField } from '../fields/identifier-fields.ts';
import { cursorQuery } from '../fields/lists.ts';
import { reasonField } from '../jackpots/instance.ts';

/** Money that is owed or asked for, and not settled (docs/rules/settlements.md "Decisions of people"). */
export const settlementStates = ['pending', 'withheld', 'unknown', 'dead'] as const;
export const settlementKinds = ['main', 'community', 'raffle', 'close', 'debit'] as const;

/** A transaction id: a UUID. */
export const transactionIdField = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'invalid_identifier');

/** Amounts are in atoms here, exact numbers on the wire. */
export const settlementShape = z.strictObject({
  /** The transaction id that the wallet sees. */
  id: z.string(),
  kind: z.enum(settlementKinds),
  state: z.enum([...settlementStates, 'settled', 'cancelled']),
  instance_id: z.string(),
  pot_id: z.string().nullable(),
  brand_id: z.string(),
  player_id: z.string(),
  /** A credit in the jackpot's currency, a debit in the player's. */
  amount: z.bigint(),
  currency: z.string(),
  paid_amount: z.bigint(),
  paid_currency: z.string(),
  batch_id: z.string().nullable(),
  gameround_id: z.string(),
  opened_timestamp: z.int(),
  changed_timestamp: z.int(),
  /** Since it was opened. */
  age_ms: z.int(),
  /** Why it is in its state: the last answer of the wallet, or the last decision. */
  reason: z.string().nullable(),
});

export type SettlementView = z.output<typeof settlementShape>;

export const settlementsQuery = cursorQuery(['opened_timestamp', 'changed_timestamp', 'amount'], {
  state: z.enum(settlementStates).optional(),
  kind: z.enum(settlementKinds).optional(),
  owner_id: ownerField.optional(),
  brand_id: brandField.optional(),
  instance_id: ownIdField.optional(),
});

/** The body of a decision. */
export const settlementDecision = z.strictObject({ reason: reasonField });

/** A payment as the admin API shows it. */
export function settlementView(record: SettlementRecord, nowMs: number): SettlementView {
  return record.kind === 'debit' ? debitView(record, nowMs) : creditView(record, nowMs);
}

function creditView(
  { credit }: Extract<SettlementRecord, { kind: 'credit' }>,
  nowMs: number,
): SettlementView {
  return {
    id: credit.transactionId,
    kind: credit.kind,
    state: credit.state,
    instance_id: credit.instance,
    pot_id: credit.pot === '' ? null : credit.pot,
    brand_id: credit.brand,
    player_id: credit.player,
    amount: credit.amountAtoms,
    currency: credit.currency,
    paid_amount: credit.paidAtoms,
    paid_currency: credit.paidCurrency,
    batch_id: credit.batchId === '' ? null : credit.batchId,
    gameround_id: credit.contributionId,
    opened_timestamp: credit.openedMs,
    changed_timestamp: credit.changedMs,
    age_ms: Math.max(0, nowMs - credit.openedMs),
    reason: credit.reason === '' ? null : credit.reason,
  };
}

function debitView({ debit }: Extract<SettlementRecord, { kind: 'debit' }>, nowMs: number): SettlementView {
  const isLate = nowMs > debit.deadlineMs;
  return {
    id: debit.transactionId,
    kind: 'debit',
    state: isLate && !debit.debited ? 'unknown' : 'pending',
    instance_id: debit.instance,
    pot_id: null,
    brand_id: debit.brand,
    player_id: debit.player,
    amount: debit.amountAtoms,
    currency: debit.currency,
    paid_amount: debit.amountAtoms,
    paid_currency: debit.currency,
    batch_id: sharedBatch(debit)?.id ?? null,
    gameround_id: debit.contributionId,
    opened_timestamp: debit.openedMs,
    changed_timestamp: isLate ? debit.deadlineMs : debit.openedMs,
    age_ms: Math.max(0, nowMs - debit.openedMs),
    reason: reasonOfDebit(debit.debited, isLate),
  };
}

function reasonOfDebit(debited: boolean, isLate: boolean): string | null {
  if (debited) return 'The player has paid; the instance takes no contributions now.';
  return isLate ? 'The wallet has not confirmed the cancellation.' : null;
}
