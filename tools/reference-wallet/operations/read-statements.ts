import * as z from 'zod';
import type { StatementPosition, StoredTransaction } from '../database/transactions.ts';
import { maxPage } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid } from '../wallet/refusals.ts';

const momentField = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,15})$/)
  .transform(Number);

const input = z.object({
  from: momentField,
  to: momentField,
  cursor: z
    .string()
    .regex(/^[0-9]{1,16}\..+$/s)
    .transform(positionOf)
    .nullable(),
});

/**
 * Our extension, for reconciliation: the transactions of a period, from `from` and before `to`, in order of
 * time and id (docs/rules/wallets.md "Statements"). With an address that names a brand only those of the
 * brand.
 */
export const readStatements: WalletOperation = {
  method: 'GET',
  path: '/statements',
  changes: false,
  handle({ query, brand }, { database }) {
    const parsed = input.safeParse({
      from: query.get('from') ?? undefined,
      to: query.get('to') ?? undefined,
      cursor: query.get('cursor'),
    });
    if (!parsed.success) return invalid(parsed.error);
    const { from: fromMs, to: toMs, cursor } = parsed.data;
    const after = cursor ?? { atMs: -1, id: '' };
    const page = database.transactions.page({ fromMs, toMs }, brand, after, maxPage);
    const last = page.length === maxPage ? page.at(-1) : undefined;
    const next = last === undefined ? null : `${last.atMs}.${last.id}`;
    return { status: 200, body: { transactions: page.map(statementOf), next } };
  },
};

function positionOf(cursor: string): StatementPosition {
  const dot = cursor.indexOf('.');
  return { atMs: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

function statementOf(one: StoredTransaction) {
  return {
    transaction_id: one.id,
    batch_id: one.batch,
    transaction_type: one.type,
    player_id: one.player,
    brand_id: one.brand,
    amount: one.amountAtoms,
    bonus_amount: one.bonusAtoms,
    currency: one.currency,
    timestamp: one.atMs,
    state: one.state,
  };
}
