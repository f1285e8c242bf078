import { expect, it } from 'vitest';
import {
  maxSortedRows,
  SortedSettlements,
} from '../../../../../../src/gateway/api/operations/admin/settlements/sorted-rows.ts';
import { settlementRows } from '../../../../../../src/jackpot/lane/queries/settlement-rows.ts';
import {
  maxOpenCredits,
  OpenCredits,
  OpenDebits,
} from '../../../../../../src/jackpot/state/settlements/open-debits.ts';
import type { LaneQuery } from '../../../../../../src/messages/queries.ts';
import type { CreditRecord, SettlementField } from '../../../../../../src/messages/settlements.ts';

/** Counts of work, not of time: a slice of a lane looks at so many payments, and a list asks for so many slices. */
const scannedASlice = 8_192;
const rowsASlice = 4_096;

class CountedCredits extends OpenCredits {
  scanned = 0;

  override *behind(after: number): Iterable<CreditRecord> {
    for (const credit of super.behind(after)) {
      this.scanned += 1;
      yield credit;
    }
  }
}

const credits = new CountedCredits();
for (let number = 1; number <= maxOpenCredits; number += 1)
  credits.set({
    ...{ number, transactionId: `t-${number}`, instance: 'jackpot', brand: 'op:main', kind: 'main' },
    ...{ state: number % 1000 === 0 ? 'dead' : 'pending', openedMs: number, changedMs: number },
    amountAtoms: BigInt((number * 7_919) % maxOpenCredits),
  } as CreditRecord);
const state = { credits, debits: new OpenDebits(), instances: new Map() };

class Lane {
  slices = 0;
  mostScanned = 0;
  mostRows = 0;
  rows = 0;

  query(_lane: number, query: LaneQuery) {
    if (query.kind !== 'settlement_rows') throw new Error(query.kind);
    const before = credits.scanned;
    const answer = settlementRows(state as never, query);
    this.slices += 1;
    this.rows += answer.numbers.length;
    this.mostScanned = Math.max(this.mostScanned, credits.scanned - before);
    this.mostRows = Math.max(this.mostRows, answer.numbers.length);
    return Promise.resolve({ kind: 'settlement_rows' as const, ...answer });
  }
}

const everything = { states: [], kinds: [], owners: [], owner: '', brand: '', instance: '' } as const;

async function page(
  field: SettlementField,
  direction: 1 | -1,
  [from, limit]: readonly [number, number],
  filter: object = everything,
) {
  const lane = new Lane();
  const order = { field, direction, nowMs: 0, filter: { ...everything, ...filter }, after: null };
  const rows = await new SortedSettlements(lane as never, order, from + limit).load([0]);
  return { lane, numbers: rows.slice(from, from + limit).map(({ number }) => number) };
}

const byAmount = Array.from({ length: maxOpenCredits }, (_, index) => index + 1).sort(
  (a, b) => ((a * 7_919) % maxOpenCredits) - ((b * 7_919) % maxOpenCredits),
);

it('a lane with as many credits as it may have gives the oldest page in one slice', async () => {
  const { lane, numbers } = await page('opened', 1, [0, 50]);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  // One of the debits, one of the credits.
  expect(lane.slices).toBe(2);
});

it.each([
  [0, 50],
  [100_000, 50],
  [maxOpenCredits - 500, 500],
] as const)('its page by amount at %i is right, and no slice is long', async (from, limit) => {
  const { lane, numbers } = await page('amount', 1, [from, limit]);
  expect(numbers).toEqual(byAmount.slice(from, from + limit));
  expect(lane.mostScanned).toBeLessThanOrEqual(scannedASlice + 1);
  expect(lane.mostRows).toBeLessThanOrEqual(rowsASlice);
  expect(lane.slices).toBeLessThanOrEqual(1 + Math.ceil(maxOpenCredits / rowsASlice) + 1);
});

it('a page of few rows takes few rows out of the lane', async () => {
  const { lane, numbers } = await page('amount', -1, [0, 50]);
  expect(numbers).toEqual(byAmount.toReversed().slice(0, 50));
  expect(lane.rows).toBeLessThan(maxOpenCredits / 4);
});

it('a filter that few credits pass does not make a slice longer', async () => {
  const { lane, numbers } = await page('opened', 1, [0, 500], { states: ['dead'] });
  expect(numbers).toEqual(Array.from({ length: 262 }, (_, index) => (index + 1) * 1000));
  expect(lane.mostScanned).toBeLessThanOrEqual(scannedASlice + 1);
  expect(maxOpenCredits).toBeLessThan(maxSortedRows);
});
