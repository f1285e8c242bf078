import { list, members } from '../../lib/unknown-json.ts';
import { accepted, amountOf, confirmed, ensureAmount, refused } from '../answers.ts';
import { type Check, ensure } from '../check.ts';
import type { Exchange } from '../client.ts';
import type { Batch, Kit } from '../kit.ts';

const parallel = 4;
const onceAdvice = 'Store the batch id and the ids of its records under unique constraints, with the answer.';
const totalsAdvice =
  '`total_amount` and `total_jackpot_amount` are the exact sums of the records that are not in `errors`. With other totals the service repeats the batch.';

/** What both players have. */
async function balances(kit: Kit): Promise<readonly [bigint, bigint]> {
  return [await kit.balance(kit.main), await kit.balance(kit.second)];
}

/** The balances must have changed by so many minor units. */
async function ensureMoved(
  kit: Kit,
  before: readonly [bigint, bigint],
  units: readonly [bigint, bigint],
  exchange: Exchange | null,
): Promise<void> {
  const { minorAtoms } = kit.main;
  const now = await balances(kit);
  ensureAmount(`The balance of ${kit.main.id}`, now[0], before[0] + units[0] * minorAtoms, exchange);
  ensureAmount(`The balance of ${kit.second.id}`, now[1], before[1] + units[1] * minorAtoms, exchange);
}

/** The answer's totals must be so many minor units, and its errors name these players. */
function ensureResult(kit: Kit, exchange: Exchange, units: bigint, players: readonly string[] = []): void {
  const errors = list(accepted(exchange).errors ?? []).map(members);
  const named = errors.map((one) => one.player_id);
  const isRight = named.length === players.length && players.every((player) => named.includes(player));
  ensure(isRight, `\`errors\` names ${JSON.stringify(named)}, not ${JSON.stringify(players)}.`, exchange);
  const haveTexts = errors.every((one) => typeof one.code === 'string' && typeof one.msg === 'string');
  ensure(haveTexts, 'An error of the batch has no `code` or no `msg`.', exchange);
  const total = units * kit.main.minorAtoms;
  ensureAmount('`total_amount`', amountOf(exchange, 'total_amount'), total, exchange);
  ensureAmount('`total_jackpot_amount`', amountOf(exchange, 'total_jackpot_amount'), total, exchange);
}

function credits(kit: Kit, first = 11n, second = 22n): Batch {
  return kit.batch('Credit', [kit.record(kit.main, first), kit.record(kit.second, second)]);
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
  {
    id: 'w4.wrong-totals',
    rule: 'A batch whose totals are not the sums of its records is refused whole.',
    advice: 'Add the records up before you execute any of them.',
    async run(kit) {
      const before = await balances(kit);
      const { fields, ...batch } = credits(kit);
      const amount = 34n * kit.main.minorAtoms;
      const exchange = await kit.executeBatch({
        ...batch,
        fields: { ...fields, amount, jackpot_amount: amount },
      });
      refused(exchange);
      await ensureMoved(kit, before, [0n, 0n], exchange);
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
    rule: 'A batch may have no game round.',
    advice: 'Accept null in `gameround_id` and `gameround_complete`: prizes of a raffle have a round each.',
    async run(kit) {
      const records = [kit.record(kit.main, 1n), kit.record(kit.second, 1n)];
      const batch = kit.batch('Credit', records, { gameround_id: null, gameround_complete: null });
      ensureResult(kit, await kit.executeBatch(batch), 2n);
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
];

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
];
