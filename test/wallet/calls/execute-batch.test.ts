import { expect, it } from 'vitest';
import type { CreditRecord } from '../../../src/messages/settlements.ts';
import { batchCall, failedRecords, membersOf } from '../../../src/wallet/calls/execute-batch.ts';
import { judge } from '../../../src/wallet/client/answer.ts';

const unit = 100_000_000n;

function record(player: string, paidAtoms: bigint): CreditRecord {
  return {
    ...{
      number: 1,
      transactionId: `6f0e1b0a-${player}`,
      batchId: 'batch',
      kind: 'community',
      state: 'pending',
    },
    ...{ instance: 'aurora', pot: 'grand', instanceCount: 4, sequence: 9, brand: 'op:main', player },
    ...{
      amountAtoms: unit,
      currency: 'EUR',
      paidAtoms,
      paidCurrency: 'VND',
      backAtoms: unit,
      rateVersion: 3,
    },
    ...{ contributionId: 'round', source: 'slot-1', provider: 'potstream', wallet: true },
    ...{ openedMs: 1, changedMs: 1, reason: '' },
  };
}

function accepts(records: readonly CreditRecord[], total: number | string, failed: readonly string[] = []) {
  const errors = failed.map((player_id) => ({ player_id, code: 'closed', msg: 'No.' }));
  return (
    failedRecords({ total_amount: total, total_jackpot_amount: total, errors }, membersOf(records)) !== null
  );
}

it('takes totals above the largest amount', () => {
  const records = [record('a', 60_000_000_000n * unit), record('b', 60_000_000_000n * unit)];
  const body = JSON.parse(Buffer.from(batchCall(records).body).toString()) as { amount: number };
  expect(body.amount).toBe(120_000_000_000);
  expect(accepts(records, body.amount)).toBe(true);
  expect(accepts(records, '120000000000')).toBe(true);
  expect(accepts(records, '120000000000.00')).toBe(true);
  expect(accepts(records, '120000000000.01')).toBe(false);
  expect(accepts(records, 60_000_000_000)).toBe(false);
  expect(accepts(records, 60_000_000_000, ['b'])).toBe(true);
});

it('takes totals that a wallet has counted in doubles', () => {
  const records = [record('a', unit / 10n), record('b', unit / 5n)];
  expect(0.1 + 0.2).not.toBe(0.3);
  expect(accepts(records, 0.1 + 0.2)).toBe(true);
  expect(accepts(records, '0.3')).toBe(true);
  expect(accepts(records, '0.30000000000000004')).toBe(false);
  expect(accepts(records, 0.30000001)).toBe(false);
  const large = [record('a', (12_345_678_901_234n * unit) / 100n), record('b', 987_654_321_098_760n * unit)];
  expect(accepts(large, 987_654_321_098_760 + 123_456_789_012.34)).toBe(true);
});

it('tells the smallest record of the largest batch from none', () => {
  const many = Array.from({ length: 999 }, (_, index) => record(`p${index}`, 90_000_000n * unit));
  const records = [...many, record('least', unit / 100n)];
  const total = 999 * 90_000_000;
  expect(accepts(records, total + 0.01)).toBe(true);
  expect(accepts(records, total)).toBe(false);
  expect(accepts(records, total, ['least'])).toBe(true);
});

it('takes no other totals', () => {
  const records = [record('a', unit)];
  for (const total of [0, -1, 1.01, 'x', '01', '1.', '', '-1', '10'])
    expect([total, accepts(records, total)]).toEqual([total, false]);
  expect(accepts(records, 0, ['a'])).toBe(true);
  expect(accepts(records, '0.00', ['a'])).toBe(true);
  expect(accepts(records, 1, ['b'])).toBe(false);
  expect(accepts(records, 0, ['a', 'a'])).toBe(false);
});

it('knows an answer from garbage before it counts for the breaker', () => {
  const { isAnswer } = batchCall([record('a', unit)]);
  expect(judge(200, '{"total_amount":1,"total_jackpot_amount":1}', isAnswer)).toMatchObject({
    kind: 'accepted',
  });
  expect(judge(200, '{"total_amount":2,"total_jackpot_amount":2}', isAnswer)).toEqual({
    kind: 'unknown',
    reason: 'garbage',
  });
  expect(judge(204, '', isAnswer)).toEqual({ kind: 'unknown', reason: 'garbage' });
});
