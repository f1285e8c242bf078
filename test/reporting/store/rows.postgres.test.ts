import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LaneBatch } from '../../../src/reporting/base/lane-batch.ts';
import { type BooksTable, type TableShape, tables } from '../../../src/reporting/base/tables.ts';
import { scan } from '../../../src/reporting/store/questions/scan.ts';
import { writtenTables } from '../../../src/reporting/store/shared/rows.ts';
import { storableJson, storableText } from '../../../src/reporting/store/shared/texts.ts';
import { batchTo, rowWith } from '../support/batches.ts';
import { onEachDatabase } from '../support/places.ts';
import { randomRow } from '../support/random-rows.ts';

type AnyRow = Readonly<Record<string, unknown>>;

onEachDatabase((books) => {
  test.each(writtenTables)('rows of %s come back as they were written, the oddest too', async (name) => {
    const store = await books.open();
    let written = 0;
    const all = new Map<string, AnyRow>();
    await fc.assert(
      fc.asyncProperty(fc.array(randomRow(name), { minLength: 1, maxLength: 20 }), async (rows) => {
        const fresh = rows.filter((row) => {
          const key = keyOf(name, row);
          if (all.has(key) && tables[name].way === 'rows') return false;
          all.set(key, storable(name, row));
          return true;
        });
        const batch = { rows: { [name]: fresh } as LaneBatch['rows'] };
        await store.write(batchTo(written + 1, written === 0 ? -1 : written, batch));
        written += 1;
        const found: AnyRow[] = [];
        for await (const row of scan(store, name, { where: [] })) found.push(row);
        expect(byKey(name, found)).toEqual(byKey(name, [...all.values()]));
      }),
      { numRuns: 12 },
    );
  });

  test('a state keeps the newest row of a key, also of one batch', async () => {
    const store = await books.open();
    const payment = (state: string) => rowWith('payments', { transaction_id: 'one', state });
    await store.write(batchTo(1, -1, { rows: { payments: [payment('pending'), payment('unknown')] } }));
    expect(await states()).toEqual(['unknown']);
    await store.write(batchTo(2, 1, { rows: { payments: [payment('settled')] } }));
    expect(await states()).toEqual(['settled']);

    async function states(): Promise<string[]> {
      const found: string[] = [];
      for await (const { state } of scan(store, 'payments', { where: [] })) found.push(state);
      return found;
    }
  });
});

test('what no database can store is replaced, and nothing else', () => {
  expect(storableText('a\0b')).toBe('a\u2400b');
  expect(storableText('a\ud800b')).toBe('a\ufffdb');
  expect(storableText('😀é\u2028"\\')).toBe('😀é\u2028"\\');
  expect(storableJson({ 'a\0': ['\ud800', '\\u0000', 1, null] })).toBe(
    '{"a\u2400":["\ufffd","\\\\u0000",1,null]}',
  );
});

function keyOf(name: BooksTable, row: AnyRow): string {
  return JSON.stringify(tables[name].key.map((column) => storableColumn(name, column, row[column])));
}

function byKey(name: BooksTable, rows: readonly AnyRow[]): readonly AnyRow[] {
  return [...rows].sort((one, other) => (keyOf(name, one) < keyOf(name, other) ? -1 : 1));
}

function storable(name: BooksTable, row: AnyRow): AnyRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, storableColumn(name, column, value)]),
  );
}

function storableColumn(name: BooksTable, column: string, value: unknown): unknown {
  const kind = (tables[name] as TableShape).columns[column]?.kind;
  if (kind === 'json' && value !== null) return JSON.parse(storableJson(value));
  return typeof value === 'string' ? storableText(value) : value;
}
