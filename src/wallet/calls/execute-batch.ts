import { writeJson } from '../../lib/json.ts';
import { formatAmount, lesserOf } from '../../lib/money.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { walletLimits } from '../client/limits.ts';
import { batchShape } from './documented-answers.ts';

export interface BatchError {
  readonly code: string;
  readonly message: string;
}

/**
 * W4 with Credits: POST /batches. The bytes are a function of `records` alone, in the order of their numbers.
 */
export function batchCall(records: readonly CreditRecord[]): WalletCall {
  const [first] = records;
  if (first === undefined) throw new Error('A batch has records.');
  const total = sumOf(records);
  const round = sharedRoundOf(records);
  const body = {
    batch_transaction_id: first.batchId,
    transaction_type: 'Credit',
    provider_id: first.provider,
    amount: total,
    jackpot_amount: total,
    source_id: first.source,
    source_variant: first.pot === '' ? null : first.pot,
    gameround_id: round,
    gameround_complete: round === null ? null : true,
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
    isAnswer: (result) => failedRecords(result, records) !== null,
    body: Buffer.from(writeJson(body), 'utf8'),
    answerBytes: walletLimits.batchAnswerBytes,
  };
}

/**
 * The players who were not credited, each with the wallet's reason. null: it is no answer to the batch, which
 * names players of the batch once each, and the totals of the other records.
 */
export function failedRecords(
  body: unknown,
  records: readonly CreditRecord[],
): ReadonlyMap<string, BatchError> | null {
  const parsed = batchShape.safeParse(body);
  if (!parsed.success) return null;
  const { total_amount, total_jackpot_amount, errors: named } = parsed.data;
  const errors = new Map<string, BatchError>();
  for (const { player_id, code, msg } of named ?? []) errors.set(player_id, { code, message: msg });
  const accepted = records.filter(({ player }) => !errors.has(player));
  const namesEachOnce = errors.size === (named ?? []).length;
  const namesOurs = accepted.length + errors.size === records.length;
  const sum = sumOf(accepted);
  const least = records.reduce((lowest, { paidAtoms }) => lesserOf(lowest, paidAtoms), records[0]!.paidAtoms);
  const isOfThem = [total_amount, total_jackpot_amount].every((total) =>
    isSum(total, sum, records.length, least),
  );
  return namesEachOnce && namesOurs && isOfThem ? errors : null;
}

/** Only older records share a round: that of the win, which only the main winner's payment may name. */
function sharedRoundOf(records: readonly CreditRecord[]): string | null {
  const [{ contributionId: round, ownRound }] = records as readonly [CreditRecord];
  if (ownRound === true) return null;
  return records.every(({ contributionId }) => contributionId === round) ? round : null;
}

function sumOf(records: readonly CreditRecord[]): bigint {
  return records.reduce((sum, { paidAtoms }) => sum + paidAtoms, 0n);
}

/**
 * Sums have no largest amount. A number may be what a wallet that counts in doubles makes of the amounts, as
 * long as it cannot be the sum without the least of them (docs/decisions/0120).
 */
function isSum(value: number | string, atoms: bigint, addends: number, minPaidAtoms: bigint): boolean {
  const text = formatAmount(atoms);
  if (typeof value === 'string') return (value.includes('.') ? value.replace(/\.?0+$/, '') : value) === text;
  const sum = Number(text);
  const differs = Math.abs(value - sum);
  return (
    differs === 0 ||
    (differs <= sum * Number.EPSILON * addends && 2 * differs < Number(formatAmount(minPaidAtoms)))
  );
}
