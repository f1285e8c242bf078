import * as z from 'zod';
import { amountField, readAmount } from '../../contracts/amount.ts';
import { writeJson } from '../../lib/json.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { unknown, type WalletAnswer } from '../answer.ts';
import type { WalletCall } from '../brand-client.ts';
import { walletLimits } from '../limits.ts';

/** Records that one batch may have. */
export const maxBatchRecords = 1_000;

export interface BatchError {
  readonly code: string;
  readonly message: string;
}

export type BatchAnswer =
  /** Records of the players in `errors` were not credited, all others were. */
  | { readonly kind: 'accepted'; readonly errors: ReadonlyMap<string, BatchError> }
  | Exclude<WalletAnswer, { kind: 'accepted' }>;

const resultShape = z.looseObject({
  total_amount: amountField,
  total_jackpot_amount: amountField,
  errors: z
    .array(z.looseObject({ player_id: z.string(), code: z.string(), msg: z.string() }))
    .max(maxBatchRecords)
    .nullish(),
});

/** W4 with Credits: POST /batches. `records` in the order of their numbers: the bytes are a function of them alone. */
export function batchCall(records: readonly CreditRecord[]): WalletCall {
  const [first] = records;
  if (first === undefined) throw new Error('A batch has records.');
  const total = sumOf(records);
  const sameRound = records.every(({ contributionId }) => contributionId === first.contributionId);
  const body = {
    batch_transaction_id: first.batchId,
    transaction_type: 'Credit',
    provider_id: first.provider,
    amount: total,
    jackpot_amount: total,
    source_id: first.source,
    source_variant: first.pot === '' ? null : first.pot,
    // Prizes of a raffle are a game round each.
    gameround_id: sameRound ? first.contributionId : null,
    gameround_complete: sameRound ? true : null,
    transactions: records.map((record) => ({
      transaction_id: record.transactionId,
      player_id: record.player,
      currency: record.paidCurrency,
      amount: record.paidAtoms,
      jackpot_amount: record.paidAtoms,
    })),
    metadata: { instance_id: first.instance, instance_count: first.instanceCount, kind: first.kind },
  };
  return {
    name: 'W4',
    path: '/batches',
    body: Buffer.from(writeJson(body), 'utf8'),
    answerBytes: walletLimits.batchAnswerBytes,
  };
}

/** A result counts if it names players of the batch once each, and its totals are those of the other records. */
export function batchAnswer(answer: WalletAnswer, records: readonly CreditRecord[]): BatchAnswer {
  if (answer.kind !== 'accepted') return answer;
  const parsed = resultShape.safeParse(answer.body);
  if (!parsed.success) return garbage;
  const errors = new Map<string, BatchError>();
  for (const { player_id, code, msg } of parsed.data.errors ?? []) {
    errors.set(player_id, { code, message: msg });
  }
  const accepted = records.filter(({ player }) => !errors.has(player));
  const namesEachOnce = errors.size === (parsed.data.errors ?? []).length;
  const namesOurs = accepted.length + errors.size === records.length;
  const [total, jackpotTotal] = [parsed.data.total_amount, parsed.data.total_jackpot_amount].map(atomsOf);
  const expected = sumOf(accepted);
  if (!namesEachOnce || !namesOurs || total !== expected || jackpotTotal !== expected) return garbage;
  return { kind: 'accepted', errors };
}

const garbage: BatchAnswer = unknown('garbage') as Extract<WalletAnswer, { kind: 'unknown' }>;

function sumOf(records: readonly CreditRecord[]): bigint {
  return records.reduce((sum, { paidAtoms }) => sum + paidAtoms, 0n);
}

function atomsOf(value: z.infer<typeof amountField>): bigint | null {
  const read = readAmount(value);
  return read.ok ? read.atoms : null;
}
