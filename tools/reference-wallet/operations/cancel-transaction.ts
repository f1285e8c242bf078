import * as z from 'zod';
import { formatAmount } from '../../../src/lib/money.ts';
import type { WalletDatabase } from '../database/database.ts';
import { unbook } from '../wallet/ledger.ts';
import type { WalletOperation, WalletReply } from '../wallet/operation.ts';
import { invalid, type RefusalCode, refused } from '../wallet/refusals.ts';
import { nameField } from './fields.ts';

const input = z.object({ gameround_id: nameField.nullish(), player_id: nameField.nullish() });

/**
 * W2. An id that is not known is dead from then on: a transaction of this id that arrives later is refused.
 */
export const cancelTransaction: WalletOperation = {
  number: 'W2',
  method: 'POST',
  path: '/transactions/{transaction_id}/cancel',
  changes: true,
  handle({ params, body, brand }, { database, nowMs }) {
    const parsed = input.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const id = params.transaction_id as string;
    const known = database.transactions.find(id);
    if (known === undefined) {
      database.batches.putTombstone('transaction', id, nowMs());
      return refused('transaction_not_found');
    }
    const { player_id, gameround_id } = parsed.data;
    const isMeant =
      known.brand === (brand ?? known.brand) &&
      known.player === (player_id ?? known.player) &&
      known.round === (gameround_id ?? known.round);
    if (!isMeant) return refused('transaction_mismatch');
    const cancelled = cancel(database, id, nowMs());
    return typeof cancelled === 'string' ? refused(cancelled) : answer(cancelled.balanceAtoms);
  },
};

/** Cancels a transaction that was executed; again: the same result, and nothing moves. */
export function cancel(
  database: WalletDatabase,
  id: string,
  nowMs: number,
): { readonly balanceAtoms: bigint } | RefusalCode {
  const known = database.transactions.find(id);
  if (known === undefined) return 'transaction_not_found';
  if (known.cancelledBalanceAtoms !== null) return { balanceAtoms: known.cancelledBalanceAtoms };
  const undone = unbook(database, known, nowMs);
  if (!undone.ok) return undone.code;
  database.transactions.setCancelled(id, nowMs, undone.balanceAtoms);
  return undone;
}

/** The interface documents this balance as a string. */
function answer(balanceAtoms: bigint): WalletReply {
  return { status: 200, body: { balance: formatAmount(balanceAtoms) } };
}
