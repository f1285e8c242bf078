import * as z from 'zod';
import type { WalletDatabase } from '../database/database.ts';
import type { StoredTransaction, Transfer } from '../database/transactions.ts';
import { book, findPlayer } from '../wallet/ledger.ts';
import type { WalletOperation, WalletReply } from '../wallet/operation.ts';
import { invalid, type RefusalCode, refused } from '../wallet/refusals.ts';
import { amountField, fingerprintOf, nameField, readAmounts, textField, typeField } from './fields.ts';

/** The body of W3. Fields that it does not name are ignored: the interface may grow. */
const input = z.object({
  player_id: nameField,
  transaction_id: nameField,
  transaction_type: typeField,
  provider_id: nameField,
  amount: amountField,
  jackpot_amount: amountField,
  bonus_amount: amountField.nullish(),
  source_id: nameField,
  source_variant: textField.nullish(),
  gameround_id: nameField,
  gameround_complete: z.boolean().nullish(),
  category: textField.nullish(),
  channel: textField.nullish(),
  bonus_id: textField.nullish(),
  promotion_id: textField.nullish(),
  promotion_type: textField.nullish(),
  currency: nameField,
  metadata: z.unknown().optional(),
});

/** W3: one debit or credit. The same request again gets the same answer and moves nothing. */
export const executeTransaction: WalletOperation = {
  number: 'W3',
  method: 'POST',
  path: '/transactions',
  changes: true,
  handle({ body, brand }, { database, nowMs }) {
    const parsed = input.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { amount, jackpot_amount, bonus_amount, ...rest } = parsed.data;
    const atoms = readAmounts({ amount, jackpot: jackpot_amount, bonus: bonus_amount ?? 0 });
    if (typeof atoms === 'string') return refused(atoms);
    const { transaction_id: id, player_id, currency, transaction_type: type, gameround_id: round } = rest;
    const known = database.transactions.find(id);
    const refuse = (code: RefusalCode): WalletReply => {
      if (known === undefined && type === 'Debit') rememberRefusal(database, id, code, nowMs());
      return refused(code);
    };
    const player = findPlayer(database, brand, player_id);
    if (typeof player === 'string') return refuse(player);
    const transfer = {
      id,
      type,
      brand: player.brand,
      player: player_id,
      currency,
      amountAtoms: atoms.amount,
      jackpotAtoms: atoms.jackpot,
      bonusAtoms: atoms.bonus,
    };
    const fingerprint = fingerprintOf({ ...atoms, ...rest });
    if (known !== undefined) return repeated(known, { ...transfer, fingerprint });
    const fault = faultOf(database, { ...transfer, round, batch: null }, player.currency);
    if (fault !== null) return refuse(fault);
    const atMs = database.transactions.moment(nowMs());
    const booked = book(database, player, transfer, atMs);
    if (!booked.ok) return refuse(booked.code);
    const { balanceAtoms } = booked;
    const closesRound = rest.gameround_complete === true;
    const details = detailsOf(rest);
    database.transactions.insert({
      ...transfer,
      batch: null,
      round,
      closesRound,
      details,
      fingerprint,
      atMs,
      balanceAtoms,
    });
    return answer(balanceAtoms);
  },
};

/**
 * A refused debit is refused for ever (docs/decisions/0340): a copy of it that arrives late would take money
 * that the service counts as not paid. A refused credit is not remembered, because a person may have it tried
 * again.
 */
export function rememberRefusal(
  { batches }: WalletDatabase,
  id: string,
  code: RefusalCode,
  atMs: number,
): void {
  batches.putTombstone('transaction', id, atMs, code);
}

/**
 * Why a new transaction cannot be executed, whatever the player has. Credits of a closed round are late wins.
 */
export function faultOf(
  { transactions, batches }: WalletDatabase,
  transfer: Transfer & { readonly round: string | null; readonly batch: string | null },
  currency: string,
): RefusalCode | null {
  const { id, type, round, batch } = transfer;
  const tombstone = batches.tombstone('transaction', id);
  if (tombstone !== undefined) return (tombstone.refusal as RefusalCode | null) ?? 'transaction_cancelled';
  if (transfer.currency !== currency) return 'currency_mismatch';
  if (transfer.bonusAtoms > transfer.amountAtoms) return 'bonus_exceeds_amount';
  const isLate = type === 'Debit' && round !== null && transactions.isRoundClosed(round, batch);
  return isLate ? 'round_closed' : null;
}

/**
 * Whether a transaction that was executed moves the same money between the same parties as one that is asked
 * for.
 */
export function movesTheSame(known: StoredTransaction, asked: Transfer): boolean {
  return (
    known.type === asked.type &&
    known.brand === asked.brand &&
    known.player === asked.player &&
    known.currency === asked.currency &&
    known.amountAtoms === asked.amountAtoms &&
    known.jackpotAtoms === asked.jackpotAtoms &&
    known.bonusAtoms === asked.bonusAtoms
  );
}

function repeated(
  known: StoredTransaction,
  asked: Parameters<typeof movesTheSame>[1] & { readonly fingerprint: string },
): WalletReply {
  // A record of a batch has no request of its own to compare with.
  const isSame = movesTheSame(known, asked) && (known.fingerprint ?? asked.fingerprint) === asked.fingerprint;
  if (!isSame) return refused('transaction_conflict');
  return known.state === 'cancelled' ? refused('transaction_cancelled') : answer(known.balanceAtoms);
}

function answer(balance: bigint): WalletReply {
  return { status: 200, body: { balance, metadata: null } };
}

function detailsOf(rest: Readonly<Record<string, unknown>>): string {
  const { player_id, transaction_id, transaction_type, currency, gameround_id, ...details } = rest;
  return JSON.stringify(details);
}
