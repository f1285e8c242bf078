import { accepted, confirmed, refused } from '../kit/answers.ts';
import { type Check, ensure } from '../kit/check.ts';
import type { Batch, Kit } from '../kit/kit.ts';
import { balances, credits, ensureMoved, tooMuch } from './batch-support.ts';

const tombstoneAdvice =
  'Store the batch id and the transaction ids that W5 names, also those that you do not know, and refuse them when they arrive.';

async function debits(kit: Kit): Promise<Batch> {
  const batch = kit.batch('Debit', [kit.record(kit.main, 3n), kit.record(kit.second, 4n)]);
  accepted(await kit.executeBatch(batch));
  return batch;
}

/** W5. */
export const batchCancellationChecks: readonly Check[] = [
  {
    id: 'w5.whole',
    rule: 'Cancelling all transactions of a batch gives every player the amount back.',
    advice: 'Cancel each transaction of the list as W2 does, and answer {"success": true}.',
    async run(kit) {
      const before = await balances(kit);
      const exchange = await kit.cancelBatch(await debits(kit));
      ensure(accepted(exchange).success === true, '`success` is not true.', exchange);
      await ensureMoved(kit, before, [0n, 0n], exchange);
    },
  },
  {
    id: 'w5.part',
    rule: 'Cancelling one transaction of a batch leaves the others.',
    advice: 'Cancel what `transaction_id_list` names.',
    async run(kit) {
      const before = await balances(kit);
      const batch = await debits(kit);
      const exchange = await kit.cancelBatch(batch, [batch.records[0]!.id]);
      accepted(exchange);
      await ensureMoved(kit, before, [0n, -4n], exchange);
    },
  },
  {
    id: 'w5.without-round',
    rule: 'W5 may leave out the game round.',
    advice: 'The ids are enough; accept null in `gameround_id`, and that it is missing.',
    async run(kit) {
      const before = await balances(kit);
      for (const gameround_id of [null, undefined]) {
        const exchange = await kit.cancelBatch(await debits(kit), undefined, { gameround_id });
        accepted(exchange);
        await ensureMoved(kit, before, [0n, 0n], exchange);
      }
    },
  },
  {
    id: 'w5.twice',
    rule: 'A second cancellation of a batch is confirmed and gives nothing back.',
    advice: 'Answer as the first time, or 404 or 409 with the error shape.',
    async run(kit) {
      const before = await balances(kit);
      const batch = await debits(kit);
      accepted(await kit.cancelBatch(batch));
      const again = await kit.cancelBatch(batch);
      confirmed(again);
      await ensureMoved(kit, before, [0n, 0n], again);
    },
  },
  {
    id: 'w5.unknown',
    rule: 'Cancelling an unknown batch is confirmed: 404 or 409 of the error shape, or 2xx.',
    advice: 'Answer 404 with the error shape.',
    async run(kit) {
      confirmed(await kit.cancelBatch(kit.batch('Debit', [kit.record(kit.main, 3n)])));
    },
  },
  {
    id: 'w5.credits',
    rule: 'Cancelling a batch of credits takes every amount back.',
    advice: 'W5 cancels debits and credits, as W2 does. Refuse for good if a player has spent the money.',
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      accepted(await kit.executeBatch(batch));
      const exchange = await kit.cancelBatch(batch);
      ensure(accepted(exchange).success === true, '`success` is not true.', exchange);
      await ensureMoved(kit, before, [0n, 0n], exchange);
    },
  },
  {
    id: 'w5.tombstone',
    rule: 'A batch that arrives after its cancellation is refused whole and moves nothing.',
    advice: tombstoneAdvice,
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      confirmed(await kit.cancelBatch(batch));
      const late = await kit.executeBatch(batch);
      refused(late);
      await ensureMoved(kit, before, [0n, 0n], late);
    },
  },
  {
    id: 'w5.tombstone-debits',
    rule: 'A batch of debits that arrives after its cancellation, or again after that of one debit, takes nothing.',
    advice: tombstoneAdvice,
    async run(kit) {
      const before = await balances(kit);
      const unknown = kit.batch('Debit', [kit.record(kit.main, 3n), kit.record(kit.second, 4n)]);
      confirmed(await kit.cancelBatch(unknown));
      refused(await kit.executeBatch(unknown));
      const known = await debits(kit);
      accepted(await kit.cancelBatch(known, [known.records[0]!.id]));
      await ensureMoved(kit, before, [0n, -4n], await kit.executeBatch(known));
    },
  },
  {
    id: 'w5.refused-record',
    rule: 'Cancelling a batch with a refused debit, then each alone, gives the others their amount back, once.',
    advice: 'A transaction that was never executed needs no cancellation: cancel the others of the list.',
    async run(kit) {
      const before = await balances(kit);
      const batch = kit.batch('Debit', [kit.record(kit.main, 3n), await tooMuch(kit)]);
      accepted(await kit.executeBatch(batch));
      await kit.cancelBatch(batch);
      for (const { id } of batch.records) confirmed(await kit.cancelBatch(batch, [id]));
      await ensureMoved(kit, before, [0n, 0n], null);
    },
  },
  {
    id: 'w5.tombstone-records',
    rule: 'A transaction that W5 named in an unknown batch is refused when it arrives alone.',
    advice: tombstoneAdvice,
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      confirmed(await kit.cancelBatch(batch));
      const late = await kit.execute(
        kit.transaction('Credit', 11n, { transaction_id: batch.records[0]?.id }),
      );
      refused(late);
      await ensureMoved(kit, before, [0n, 0n], late);
    },
  },
];
