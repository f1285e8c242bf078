import { expect, test } from 'vitest';
import { checkBooks } from '../../../src/reporting/check/check.ts';
import { findingText } from '../../../src/reporting/check/finding.ts';
import { balancesAt } from '../../../src/reporting/store/questions/balances.ts';
import { firstWholeDay, removeRowsBefore } from '../../../src/reporting/store/retention.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { dumpOf } from '../support/dump.ts';
import { onEachDatabase } from '../support/places.ts';
import { dayOf, fillSmallBooks } from '../support/small-books.ts';

onEachDatabase((books) => {
  test('old rows leave, totals and balances stay, and the other days still agree', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 5);
    const before = await dumpOf(store);
    expect(await removeRowsBefore(store, dayOf(4))).toBe(2 * (10 + 2 + 4));
    expect(await removeRowsBefore(store, dayOf(4))).toBe(0);
    const after = await dumpOf(store);
    for (const name of ['daily_totals', 'daily_balances', 'openings', 'positions'])
      expect(after[name]).toEqual(before[name]);
    expect(after.contributions).toEqual(before.contributions!.slice(20));
    expect(await firstWholeDay(store)).toBe(dayOf(4));
    expect(await findingsOf(store)).toEqual([]);
    expect((await balancesAt(store, 'second', dayOf(8))).get('house')).toBe(500n + 5n * 161n);
    // Never back.
    await removeRowsBefore(store, dayOf(0));
    expect(await firstWholeDay(store)).toBe(dayOf(4));
  });

  test('a wrong row of a kept day is still found', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 3);
    await removeRowsBefore(store, dayOf(2));
    const table = `${store.prefix}contributions`;
    await store.select(`DELETE FROM ${table} WHERE sequence = 2 AND command_index = 0 RETURNING 1`, []);
    const found = await findingsOf(store);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((each) => each.includes(dayOf(2)))).toBe(true);
  });

  test('open payments stay, whatever their age; many rows leave slice by slice', async () => {
    const store = await books.open();
    const many = Array.from({ length: 12_001 }, (_, command_index) => command_index);
    const old = { time: noon - 10 * dayMs, lane: 0, sequence: 1 };
    await store.write(
      batchTo(1, -1, {
        rows: {
          entries: many.map((command_index) => rowWith('entries', { ...old, command_index })),
          payments: [
            rowWith('payments', { transaction_id: 'open', opened: old.time, closed: null }),
            rowWith('payments', { transaction_id: 'closed', opened: old.time, closed: old.time }),
            rowWith('payments', { transaction_id: 'late', opened: old.time, closed: noon }),
          ],
        },
      }),
    );
    expect(await removeRowsBefore(store, dayOf(0))).toBe(12_002);
    const payments = (await dumpOf(store)).payments!.map((row) => JSON.parse(row).transaction_id);
    expect(payments).toEqual(['late', 'open']);
  });
});

async function findingsOf(store: BooksStore): Promise<string[]> {
  const found: string[] = [];
  for await (const finding of checkBooks(store, { from: null, to: dayOf(8) }))
    found.push(findingText(finding));
  return found;
}
