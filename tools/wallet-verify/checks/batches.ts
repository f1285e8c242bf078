import { accepted, amountOf, confirmed, ensureAmount, refused } from '../kit/answers.ts';
import type { Check } from '../kit/check.ts';
import type { BatchRecord, Fields, Kit } from '../kit/kit.ts';
import { balances, credits, ensureMoved, ensureResult, tooMuch, totalsAdvice } from './batch-support.ts';

const parallel = 4;
/** Records of a batch, at most. */
const maxRecords = 1_000;
const onceAdvice = 'Store the batch id and the ids of its records under unique constraints, with the answer.';

const renewed =
  (kit: Kit) =>
  (record: BatchRecord): BatchRecord => ({ ...record, id: kit.newId() });

/** The batch has these totals, one of which is too high, and must be refused whole. */
function wrongTotals(id: string, rule: string, totals: (amount: bigint) => Fields): Check {
  return {
    id,
    rule,
    advice: 'Add the records up before you execute any of them.',
    async run(kit) {
      const before = await balances(kit);
      const { fields, ...batch } = credits(kit);
      const changed = { ...fields, ...totals(34n * kit.main.minorAtoms) };
      const exchange = await kit.executeBatch({ ...batch, fields: changed });
      refused(exchange);
      await ensureMoved(kit, before, [0n, 0n], exchange);
    },
  };
}

/** W4. */
export const batchChecks: readonly Check[] = [
  {
    id: 'w4.credits',
    rule: 'A batch credits each player and answers with the totals.',
    advice: `Execute every record, and answer with the totals and an empty list \`errors\`. ${totalsAdvice}`,
    async run(kit) {
      const before = await balances(kit);
      const exchange = await kit.executeBatch(credits(kit));
      ensureResult(kit, exchange, 33n);
      await ensureMoved(kit, before, [11n, 22n], exchange);
    },
  },
  {
    id: 'w4.exact-totals',
    rule: 'The totals are exact.',
    advice: `${totalsAdvice} As binary floating-point numbers 0.1 + 0.2 is not 0.3.`,
    async run(kit) {
      ensureResult(kit, await kit.executeBatch(credits(kit, 10n, 20n)), 30n);
      ensureResult(kit, await kit.executeBatch(credits(kit, 70n, 10n)), 80n);
    },
  },
  {
    id: 'w4.one-bad-record',
    rule: 'A record that cannot be executed is in `errors`; the others are executed.',
    advice: `Do not refuse the whole batch for one player. ${totalsAdvice}`,
    async run(kit) {
      const before = await balances(kit);
      const unknown = { ...kit.record(kit.main, 9n), player: `verify-${kit.newId()}` };
      const records = [kit.record(kit.main, 11n), unknown, kit.record(kit.second, 22n)];
      const exchange = await kit.executeBatch(kit.batch('Credit', records));
      ensureResult(kit, exchange, 33n, [unknown.player]);
      await ensureMoved(kit, before, [11n, 22n], exchange);
    },
  },
  {
    id: 'w4.twice',
    rule: 'A batch that arrives twice is answered as the first time and moves its amounts once.',
    advice: onceAdvice,
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      accepted(await kit.executeBatch(batch));
      const again = await kit.executeBatch(batch);
      ensureResult(kit, again, 33n);
      await ensureMoved(kit, before, [11n, 22n], again);
    },
  },
  {
    id: 'w4.in-parallel',
    rule: `A batch that arrives ${parallel} times at once is accepted each time and moves its amounts once.`,
    advice: `${onceAdvice} A look-up before the insert is not enough.`,
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      const answers = await Promise.all(Array.from({ length: parallel }, () => kit.executeBatch(batch)));
      for (const answer of answers) ensureResult(kit, answer, 33n);
      await ensureMoved(kit, before, [11n, 22n], answers.at(-1) ?? null);
    },
  },
  {
    id: 'w4.conflict',
    rule: 'A known batch id with other records is refused for good and moves nothing.',
    advice: 'Compare the records with those that you stored under the batch id.',
    async run(kit) {
      const { id, ...batch } = credits(kit);
      accepted(await kit.executeBatch({ id, ...batch }));
      const before = await balances(kit);
      const { fields } = credits(kit, 1n, 2n);
      const other = await kit.executeBatch({ ...batch, id, fields: { ...fields, batch_transaction_id: id } });
      refused(other);
      await ensureMoved(kit, before, [0n, 0n], other);
    },
  },
  wrongTotals(
    'w4.wrong-totals',
    'A batch whose totals are not the sums of its records is refused whole.',
    (amount) => ({ amount, jackpot_amount: amount }),
  ),
  wrongTotals(
    'w4.wrong-jackpot-total',
    'A batch whose total `jackpot_amount` alone is wrong is refused whole.',
    (jackpot_amount) => ({ jackpot_amount }),
  ),
  {
    id: 'w4.player-twice',
    rule: 'A batch that names a player twice is refused whole.',
    advice:
      'Look for players that occur twice before you execute any record: `errors` names records by their player.',
    async run(kit) {
      const before = await balances(kit);
      const records = [kit.record(kit.main, 11n), kit.record(kit.second, 22n), kit.record(kit.main, 5n)];
      const exchange = await kit.executeBatch(kit.batch('Credit', records));
      refused(exchange);
      await ensureMoved(kit, before, [0n, 0n], exchange);
    },
  },
  {
    id: 'w4.jackpot-total',
    rule: '`total_jackpot_amount` adds up the `jackpot_amount` of the records, not their `amount`.',
    advice: totalsAdvice,
    async run(kit) {
      const before = await balances(kit);
      const { minorAtoms } = kit.main;
      const records = credits(kit).records.map((one) => ({ ...one, jackpotAmount: minorAtoms }));
      const exchange = await kit.executeBatch(kit.batch('Credit', records));
      ensureResult(kit, exchange, 33n, [], 2n);
      await ensureMoved(kit, before, [11n, 22n], exchange);
    },
  },
  {
    id: 'w4.thousand-records',
    rule: `A batch of ${maxRecords.toLocaleString('en')} records is executed like a small one.`,
    advice:
      'Take bodies of 512 KiB at least, also in proxies and frameworks (some stop at 100 KB), and finish within 2 s: look players up together.',
    async run(kit) {
      const before = await balances(kit);
      const { records } = credits(kit);
      const unknown = Array.from({ length: maxRecords - records.length }, () => ({
        ...kit.record(kit.main, 1n),
        player: `verify-${kit.newId()}`,
      }));
      const exchange = await kit.executeBatch(kit.batch('Credit', [...unknown, ...records]));
      const players = unknown.map(({ player }) => player);
      ensureResult(kit, exchange, 33n, players);
      await ensureMoved(kit, before, [11n, 22n], exchange);
    },
  },
  {
    id: 'w4.record-known-from-w3',
    rule: 'A record that was executed alone before is accepted and not paid again.',
    advice: 'Look each record up by its transaction id: ids of W3 and of records are one set.',
    async run(kit) {
      const batch = credits(kit);
      const [record] = batch.records;
      const before = await balances(kit);
      await kit.credit(11n, { transaction_id: record?.id });
      const exchange = await kit.executeBatch(batch);
      ensureResult(kit, exchange, 33n);
      await ensureMoved(kit, before, [11n, 22n], exchange);
    },
  },
  {
    id: 'w4.record-conflict',
    rule: 'A record whose id is known with another amount is in `errors` and moves nothing.',
    advice:
      'Compare player, currency and amount with what you stored under the transaction id, also if W3 stored it.',
    async run(kit) {
      const batch = credits(kit);
      await kit.credit(12n, { transaction_id: batch.records[0]?.id });
      const before = await balances(kit);
      const exchange = await kit.executeBatch(batch);
      ensureResult(kit, exchange, 22n, [kit.main.id]);
      await ensureMoved(kit, before, [0n, 22n], exchange);
    },
  },
  {
    id: 'w4.cancelled-record',
    rule: 'A record whose id was cancelled before it arrived is in `errors` and moves nothing.',
    advice: 'Look each record up in the ids that W2 named.',
    async run(kit) {
      const before = await balances(kit);
      const batch = credits(kit);
      confirmed(await kit.cancel(kit.transaction('Credit', 11n, { transaction_id: batch.records[0]?.id })));
      const exchange = await kit.executeBatch(batch);
      ensureResult(kit, exchange, 22n, [kit.main.id]);
      await ensureMoved(kit, before, [0n, 22n], exchange);
    },
  },
  {
    id: 'w4.record-again-by-w3',
    rule: 'A record of an executed batch is not paid again when it arrives alone.',
    advice: 'Store the records as transactions: ids of W3 and of records are one set.',
    async run(kit) {
      const batch = credits(kit);
      const [record] = batch.records;
      accepted(await kit.executeBatch(batch));
      const before = await balances(kit);
      const credit = kit.transaction('Credit', 11n, { transaction_id: record?.id });
      const alone = await kit.execute(credit);
      await ensureMoved(kit, before, [0n, 0n], alone);
    },
  },
  {
    id: 'w4.without-round',
    rule: 'A batch may have no game round, and may have one.',
    advice:
      'Accept null in `gameround_id` and `gameround_complete`, and that they are missing: shares and prizes have a round each.',
    async run(kit) {
      const records = [kit.record(kit.main, 1n), kit.record(kit.second, 1n)];
      ensureResult(kit, await kit.executeBatch(kit.batch('Credit', records)), 2n);
      const absent = { gameround_id: undefined, gameround_complete: undefined };
      ensureResult(kit, await kit.executeBatch(kit.batch('Credit', records.map(renewed(kit)), absent)), 2n);
      const named = { gameround_id: kit.newId(), gameround_complete: true };
      ensureResult(kit, await kit.executeBatch(kit.batch('Credit', records.map(renewed(kit)), named)), 2n);
    },
  },
  {
    id: 'w4.debits',
    rule: 'A batch of debits takes each amount.',
    advice: 'W4 takes `transaction_type` Debit as well.',
    async run(kit) {
      const before = await balances(kit);
      const records = [kit.record(kit.main, 3n), kit.record(kit.second, 4n)];
      const exchange = await kit.executeBatch(kit.batch('Debit', records));
      const total = 7n * kit.main.minorAtoms;
      ensureAmount('`total_amount`', amountOf(exchange, 'total_amount'), total, exchange);
      await ensureMoved(kit, before, [-3n, -4n], exchange);
    },
  },
  {
    id: 'w4.debit-errors',
    rule: 'A debit that the player cannot pay is in `errors`, also of the repeated batch; the others are made once.',
    advice: `Do not refuse the whole batch for one player. ${totalsAdvice} Debits have a \`jackpot_amount\` of 0.`,
    async run(kit) {
      const before = await balances(kit);
      const batch = kit.batch('Debit', [kit.record(kit.main, 3n), await tooMuch(kit)]);
      ensureResult(kit, await kit.executeBatch(batch), 3n, [kit.second.id], 0n);
      const again = await kit.executeBatch(batch);
      ensureResult(kit, again, 3n, [kit.second.id], 0n);
      await ensureMoved(kit, before, [-3n, 0n], again);
    },
  },
];
