import * as z from 'zod';
import { writeJson } from '../../../src/lib/json.ts';
import { maxPaidAtoms } from '../../../src/lib/money.ts';
import type { WalletDatabase } from '../database/database.ts';
import type { Transfer } from '../database/transactions.ts';
import { book, findPlayer } from '../wallet/ledger.ts';
import { maxBatchRecords } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid, messageOf, type RefusalCode, refused } from '../wallet/refusals.ts';
import { faultOf, movesTheSame, rememberRefusal } from './execute-transaction.ts';
import { amountField, fingerprintOf, nameField, readAmounts, textField, typeField } from './fields.ts';

const record = z.object({
  transaction_id: nameField,
  player_id: nameField,
  currency: nameField,
  amount: amountField,
  jackpot_amount: amountField,
});

/** The body of W4. Fields that it does not name are ignored: the interface may grow. */
const input = z.object({
  batch_transaction_id: nameField,
  transaction_type: typeField,
  provider_id: nameField,
  amount: amountField,
  jackpot_amount: amountField,
  source_id: nameField,
  source_variant: textField.nullish(),
  gameround_id: nameField.nullish(),
  gameround_complete: z.boolean().nullish(),
  transactions: z.array(record).min(1).max(maxBatchRecords),
  metadata: z.unknown().optional(),
});

type Body = z.infer<typeof input>;

interface BatchRecord {
  readonly id: string;
  readonly player: string;
  readonly currency: string;
  readonly amountAtoms: bigint;
  readonly jackpotAtoms: bigint;
}

/**
 * W4: each record for itself; those that cannot be executed are in `errors`, and the totals are of the
 * others.
 */
export const executeBatch: WalletOperation = {
  number: 'W4',
  method: 'POST',
  path: '/batches',
  changes: true,
  handle({ body, brand }, { database, nowMs }) {
    const parsed = input.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { data } = parsed;
    const { batch_transaction_id: id } = data;
    const records = recordsOf(data);
    if (typeof records === 'string') return refused(records);
    const fingerprint = fingerprintOf({ ...data, transactions: records, amount: null, jackpot_amount: null });
    const known = database.batches.find(id);
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) return refused('batch_conflict');
      return known.state === 'cancelled' ? refused('batch_cancelled') : { status: 200, text: known.answer };
    }
    if (database.batches.tombstone('batch', id) !== undefined) return refused('batch_cancelled');
    const atMs = database.transactions.moment(nowMs());
    const answer = writeJson(execute(database, data, records, { brand, atMs }));
    const ids = records.map((one) => one.id);
    database.batches.insert({ id, fingerprint, answer, records: ids }, atMs);
    return { status: 200, text: answer };
  },
};

/** The records in atoms, or why the batch is refused whole. */
function recordsOf({ transactions, amount, jackpot_amount }: Body): readonly BatchRecord[] | RefusalCode {
  const totals = readAmounts({ amount, jackpot: jackpot_amount }, maxPaidAtoms);
  if (typeof totals === 'string') return totals;
  const records: BatchRecord[] = [];
  for (const { transaction_id: id, player_id: player, currency, ...amounts } of transactions) {
    const atoms = readAmounts({ amount: amounts.amount, jackpot: amounts.jackpot_amount });
    if (typeof atoms === 'string') return atoms;
    records.push({ id, player, currency, amountAtoms: atoms.amount, jackpotAtoms: atoms.jackpot });
  }
  if (new Set(records.map((one) => one.id)).size < records.length) return 'duplicate_transaction';
  if (new Set(records.map((one) => one.player)).size < records.length) return 'duplicate_player';
  const isExact =
    sumOf(records, 'amountAtoms') === totals.amount && sumOf(records, 'jackpotAtoms') === totals.jackpot;
  return isExact ? records : 'batch_totals_mismatch';
}

function execute(
  database: WalletDatabase,
  batch: Body,
  records: readonly BatchRecord[],
  at: { readonly brand: string | null; readonly atMs: number },
) {
  const errors: { player_id: string; code: string; msg: string }[] = [];
  const accepted = records.filter((one) => {
    const fault = executeRecord(database, batch, one, at);
    if (fault !== null) errors.push({ player_id: one.player, code: fault, msg: messageOf(fault) });
    return fault === null;
  });
  return {
    total_amount: sumOf(accepted, 'amountAtoms'),
    total_jackpot_amount: sumOf(accepted, 'jackpotAtoms'),
    errors,
    metadata: null,
  };
}

function executeRecord(
  database: WalletDatabase,
  batch: Body,
  record: BatchRecord,
  { brand, atMs }: { readonly brand: string | null; readonly atMs: number },
): RefusalCode | null {
  const known = database.transactions.find(record.id);
  const refuse = (code: RefusalCode): RefusalCode => {
    const isNewDebit = known === undefined && batch.transaction_type === 'Debit';
    if (isNewDebit) rememberRefusal(database, record.id, code, atMs);
    return code;
  };
  const player = findPlayer(database, brand, record.player);
  if (typeof player === 'string') return refuse(player);
  const transfer: Transfer = {
    ...record,
    type: batch.transaction_type,
    brand: player.brand,
    bonusAtoms: 0n,
  };
  if (known !== undefined) {
    if (!movesTheSame(known, transfer)) return 'transaction_conflict';
    // Executed before, alone: it counts as accepted and moves nothing.
    return known.state === 'cancelled' ? 'transaction_cancelled' : null;
  }
  const round = batch.gameround_id ?? null;
  const of = { round, batch: batch.batch_transaction_id };
  const fault = faultOf(database, { ...transfer, ...of }, player.currency);
  if (fault !== null) return refuse(fault);
  const booked = book(database, player, transfer, atMs);
  if (!booked.ok) return refuse(booked.code);
  const { provider_id, source_id, source_variant } = batch;
  database.transactions.insert({
    ...transfer,
    ...of,
    closesRound: batch.gameround_complete === true,
    details: JSON.stringify({ provider_id, source_id, source_variant }),
    fingerprint: null,
    atMs,
    balanceAtoms: booked.balanceAtoms,
  });
  return null;
}

function sumOf(records: readonly BatchRecord[], name: 'amountAtoms' | 'jackpotAtoms'): bigint {
  return records.reduce((sum, one) => sum + one[name], 0n);
}
