import { writeJson } from '../../lib/json.ts';
import { formatAmount, lesserOf } from '../../lib/money.ts';
import type { CreditRecord, DebitRecord } from '../../messages/settlements.ts';
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
  const members = membersOf(records);
  const total = sumOf(members);
  const round = sharedRoundOf(records);
  return call(first.batchId, members, {
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
  });
}

/** W4 with Debits, a function of `records` as well. It names no round: each debit has one of its own. */
export function debitBatchCall(batchId: string, records: readonly DebitRecord[]): WalletCall {
  const [first] = records;
  if (first === undefined) throw new Error('A batch has records.');
  const members = debitMembers(records);
  return call(batchId, members, {
    batch_transaction_id: batchId,
    transaction_type: 'Debit',
    provider_id: first.provider,
    amount: sumOf(members),
    jackpot_amount: 0,
    source_id: first.source,
    source_variant: null,
    gameround_id: null,
    gameround_complete: null,
    transactions: records.map((record) => ({
      transaction_id: record.transactionId,
      player_id: record.player,
      currency: record.currency,
      amount: record.amountAtoms,
      jackpot_amount: 0,
    })),
    metadata: { kind: 'debit', category: first.vertical === '' ? null : first.vertical },
  });
}

/** What a batch moves for a player. */
interface BatchMember {
  readonly player: string;
  readonly atoms: bigint;
  readonly jackpotAtoms: bigint;
}

export function membersOf(records: readonly CreditRecord[]): readonly BatchMember[] {
  return records.map(({ player, paidAtoms }) => ({ player, atoms: paidAtoms, jackpotAtoms: paidAtoms }));
}

export function debitMembers(records: readonly DebitRecord[]): readonly BatchMember[] {
  return records.map(({ player, amountAtoms }) => ({ player, atoms: amountAtoms, jackpotAtoms: 0n }));
}

function call(
  batchId: string,
  members: readonly BatchMember[],
  body: Readonly<Record<string, unknown>>,
): WalletCall {
  return {
    name: 'W4',
    of: { transactionId: null, batchId, records: members.length },
    path: '/batches',
    isAnswer: (result) => failedRecords(result, members) !== null,
    body: Buffer.from(writeJson(body), 'utf8'),
    answerBytes: walletLimits.batchAnswerBytes,
  };
}

/**
 * The players whose record was not executed, each with the wallet's reason. null: it is no answer to the
 * batch, which names players of the batch once each, and the totals of the other records.
 */
export function failedRecords(
  body: unknown,
  members: readonly BatchMember[],
): ReadonlyMap<string, BatchError> | null {
  const parsed = batchShape.safeParse(body);
  if (!parsed.success) return null;
  const { total_amount, total_jackpot_amount, errors: named } = parsed.data;
  const errors = new Map<string, BatchError>();
  for (const { player_id, code, msg } of named ?? []) errors.set(player_id, { code, message: msg });
  const accepted = members.filter(({ player }) => !errors.has(player));
  const namesEachOnce = errors.size === (named ?? []).length;
  const namesOurs = accepted.length + errors.size === members.length;
  const isOfThem =
    isSum(total_amount, accepted, members, 'atoms') &&
    isSum(total_jackpot_amount, accepted, members, 'jackpotAtoms');
  return namesEachOnce && namesOurs && isOfThem ? errors : null;
}

/** Only older records share a round: that of the win, which only the main winner's payment may name. */
function sharedRoundOf(records: readonly CreditRecord[]): string | null {
  const [{ contributionId: round, ownRound }] = records as readonly [CreditRecord];
  if (ownRound === true) return null;
  return records.every(({ contributionId }) => contributionId === round) ? round : null;
}

function sumOf(members: readonly BatchMember[], name: 'atoms' | 'jackpotAtoms' = 'atoms'): bigint {
  return members.reduce((sum, member) => sum + member[name], 0n);
}

/**
 * Sums have no largest amount. A number may be what a wallet that counts in doubles makes of the amounts, as
 * long as it cannot be the sum without the least of them (docs/decisions/0120).
 */
function isSum(
  value: number | string,
  accepted: readonly BatchMember[],
  members: readonly BatchMember[],
  name: 'atoms' | 'jackpotAtoms',
): boolean {
  const text = formatAmount(sumOf(accepted, name));
  if (typeof value === 'string') return (value.includes('.') ? value.replace(/\.?0+$/, '') : value) === text;
  const least = members.reduce((lowest, member) => lesserOf(lowest, member[name]), members[0]![name]);
  const sum = Number(text);
  const differs = Math.abs(value - sum);
  return (
    differs === 0 ||
    (differs <= sum * Number.EPSILON * members.length && 2 * differs < Number(formatAmount(least)))
  );
}
