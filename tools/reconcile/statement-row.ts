import * as z from 'zod';
import { readAmount } from '../../src/contracts/fields/amount.ts';
import { maxPaidAtoms } from '../../src/lib/money.ts';
import { StatementError, type StatementRow } from './transaction.ts';

const text = z.string().min(1).max(256);
const optional = z
  .string()
  .max(256)
  .nullish()
  .transform((value) => value || null);
/** Milliseconds since 1970, or ISO 8601 with its zone. */
const moment = z.union([z.int().min(0), z.string().max(64)]).transform((value, context): number => {
  const isCount = typeof value === 'number' || /^[0-9]{1,16}$/.test(value);
  const isZoned = typeof value === 'string' && /T.*(?:Z|[+-][0-9]{2}:?[0-9]{2})$/.test(value);
  const timeMs = isCount ? Number(value) : isZoned ? Date.parse(value) : Number.NaN;
  if (!Number.isSafeInteger(timeMs)) context.addIssue('neither milliseconds nor ISO 8601 with a zone');
  return timeMs;
});
const amount = z.union([z.number(), z.string()]).transform((value, context): bigint => {
  const read = readAmount(value, maxPaidAtoms);
  if (!read.ok) context.addIssue('not an amount with at most 8 decimals');
  return read.ok ? read.atoms : 0n;
});

const shape = z.object({
  transaction_id: text,
  batch_id: optional,
  transaction_type: z.enum(['Debit', 'Credit']),
  player_id: text,
  brand_id: optional,
  amount,
  currency: text,
  timestamp: moment,
  state: z.enum(['done', 'cancelled']),
});

/** Whether a statement says it; the rest of its columns is not read. */
export function isStatementColumn(name: string): boolean {
  return Object.hasOwn(shape.shape, name);
}

/** One row of a statement, of any source (docs/reconcile.md "Statements"). @throws StatementError */
export function readStatementRow(value: unknown, where: string): StatementRow {
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StatementError(`${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a row'}`);
  }
  const row = parsed.data;
  return {
    id: row.transaction_id,
    type: row.transaction_type,
    player: row.player_id,
    brand: row.brand_id,
    batch: row.batch_id,
    amountAtoms: row.amount,
    currency: row.currency,
    timestampMs: row.timestamp,
    state: row.state,
  };
}
