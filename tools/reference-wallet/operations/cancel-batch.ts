import * as z from 'zod';
import type { StoredBatch } from '../database/batches.ts';
import type { WalletDatabase } from '../database/database.ts';
import { unbookFault } from '../wallet/ledger.ts';
import { maxBatchRecords } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid, type RefusalCode, refused } from '../wallet/refusals.ts';
import { cancel } from './cancel-transaction.ts';
import { nameField } from './fields.ts';

const input = z.object({
  gameround_id: nameField.nullish(),
  transaction_id_list: z.array(nameField).max(maxBatchRecords),
});

/**
 * W5: the named transactions of a batch, or all of them where none is named; all or nothing. An unknown batch
 * is dead from then on.
 */
export const cancelBatch: WalletOperation = {
  number: 'W5',
  method: 'POST',
  path: '/batches/{batch_id}/cancel',
  changes: true,
  handle({ params, body }, { database, nowMs }) {
    const parsed = input.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const id = params.batch_id as string;
    const { transaction_id_list: named } = parsed.data;
    const batch = database.batches.find(id);
    const atMs = nowMs();
    if (batch === undefined) {
      database.batches.putTombstone('batch', id, atMs);
      for (const each of named) bury(database, each, atMs);
      return refused('batch_not_found');
    }
    const fault = cancelRecords(database, batch, named.length === 0 ? batch.records : named, atMs);
    return fault === null ? { status: 200, body: { success: true } } : refused(fault);
  },
};

function cancelRecords(
  database: WalletDatabase,
  batch: StoredBatch,
  ids: readonly string[],
  atMs: number,
): RefusalCode | null {
  const records = new Set(batch.records);
  if (!ids.every((id) => records.has(id))) return 'transaction_not_in_batch';
  for (const id of ids) {
    const known = database.transactions.find(id);
    const fault = known?.state === 'done' ? unbookFault(database, known) : null;
    if (fault !== null) return fault;
  }
  for (const id of ids) {
    if (database.transactions.find(id) === undefined) bury(database, id, atMs);
    else cancel(database, id, atMs);
  }
  const isWhole = batch.records.every((id) => database.transactions.find(id)?.state !== 'done');
  if (isWhole) database.batches.setCancelled(batch.id);
  return null;
}

function bury(database: WalletDatabase, id: string, atMs: number): void {
  if (database.transactions.find(id) === undefined) database.batches.putTombstone('transaction', id, atMs);
}
