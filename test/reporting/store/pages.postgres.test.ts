import { expect, test } from 'vitest';
import { maxCounted } from '../../../src/contracts/reports/questions.ts';
import type { BooksTable } from '../../../src/reporting/base/tables.ts';
import { countRows, rowsPage } from '../../../src/reporting/store/questions/pages.ts';
import { search } from '../../../src/reporting/store/questions/search.ts';
import type { Condition } from '../../../src/reporting/store/questions/select.ts';
import type { AnyRow } from '../../../src/reporting/store/shared/rows.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, noon, rowWith } from '../support/batches.ts';
import { onEachDatabase } from '../support/places.ts';

const count = 600;

onEachDatabase((books) => {
  test('pages have each row once, in both directions, with many rows of one time', async () => {
    const store = await filled(await books.open());
    for (const direction of [1, -1] as const) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof rowsPage<'contributions'>>> = await rowsPage(
          store,
          'contributions',
          {
            ...{ where: [{ column: 'instance', is: '=', value: 'even' }], order: ['time'] },
            ...{ direction, cursor, limit: 7 },
          },
        );
        found.push(...(page?.rows ?? []).map(({ contribution_id: id }) => id));
        cursor = page?.cursor ?? null;
      } while (cursor !== null);
      const expected = Array.from({ length: count / 2 }, (_, index) => `id-${index * 2}`);
      expect(found).toEqual(direction === 1 ? expected : expected.toReversed());
    }
  });

  test('a cursor of another order, or no cursor at all, is none', async () => {
    const store = await filled(await books.open());
    const ask = (cursor: string, order: readonly string[] = ['time']) =>
      rowsPage(store, 'contributions', { where: [], order, direction: 1, cursor, limit: 1 });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const ofTime =
      (await rowsPage(store, 'contributions', { ...plain, order: ['time'], cursor: null }))?.cursor ?? '';
    expect((await ask(ofTime))?.rows).toHaveLength(1);
    for (const cursor of [
      '',
      'x',
      '%',
      encoded({}),
      encoded([]),
      encoded([1, 2, 3, 4]),
      encoded(['1', 2, 3, 4, 5]),
    ])
      expect(await ask(cursor)).toBeNull();
    expect(await ask(encoded([1.5, 2, 3, 4, 5]))).toBeNull();
    expect(await ask(encoded([2 ** 60, 2, 3, 4, 5]))).toBeNull();
    // PostgreSQL has no such time, and no such year.
    expect(await ask(encoded([-1e15, 2, 3, 4, 5]))).toBeNull();
    expect(await ask(ofTime, [])).toBeNull();
    const day = { where: [], order: ['day'], direction: 1, limit: 1 } as const;
    for (const wrong of ['0000-01-01', '2026-02-30', '2026-1-1', 'today', '2026-11-28T00:00'])
      expect(
        await rowsPage(store, 'daily_totals', { ...day, cursor: encoded([wrong, 'a', 'b', 'c', 'd', 'e']) }),
      ).toBeNull();
  });

  test('filters of every kind find their rows, and totals are exact up to their limit', async () => {
    const store = await filled(await books.open());
    const cases: readonly (readonly [Condition, number])[] = [
      [{ column: 'contribution_id', is: '=', value: 'id-7' }, 1],
      [{ column: 'key_hash', is: '=', value: '0007' }, 1],
      [{ column: 'gameround', is: '=', value: 'round-7' }, 1],
      [{ column: 'player', is: '=', value: 'player-3' }, count / 10],
      [{ column: 'brand', is: 'in', value: ['o:even', 'o:none'] }, count / 2],
      [{ column: 'time', is: '<', value: noon + 2 }, 20],
      [{ column: 'contribution_amount', is: '>=', value: 599n }, 1],
      [{ column: 'is_link', is: '=', value: true }, 0],
      [{ column: 'player', is: '=', value: 'a\0b' }, 0],
    ];
    for (const [condition, expected] of cases)
      expect([condition, await countRows(store, 'contributions', [condition])]).toEqual([
        condition,
        expected,
      ]);
    expect(await countRows(store, 'contributions', [])).toBe(count);
    const many = Array.from({ length: maxCounted + 5 }, (_, sequence) => rowWith('statuses', { sequence }));
    await store.write(batchTo(count + 1, count, { rows: { statuses: many } }));
    expect(await countRows(store, 'statuses', [])).toBe(maxCounted + 1);
  });

  test('a search finds whole ids of every kind, within its scope', async () => {
    const store = await filled(await books.open());
    expect((await search(store, 'id-7', [])).contributions.map(({ key_hash: key }) => key)).toEqual(['0007']);
    expect((await search(store, 'round-8', [])).contributions).toHaveLength(1);
    expect((await search(store, 'transaction', [])).payments).toHaveLength(1);
    expect((await search(store, 'batch', [])).payments).toHaveLength(1);
    expect((await search(store, 'player-3', [])).players).toEqual([
      { brand: 'o:even', player: 'player-3' },
      { brand: 'o:odd', player: 'player-3' },
    ]);
    const none = { contributions: [], payments: [], wins: [], players: [] };
    for (const part of ['id', '%', 'id-_', '_d-7', '*']) expect(await search(store, part, [])).toEqual(none);
    for (const text of ['id-7', 'transaction', 'player-3'])
      expect(await search(store, text, [{ column: 'operator', is: '=', value: 'other' }])).toEqual(none);
    const odd: readonly Condition[] = [
      { column: 'operator', is: 'in', value: ['o'] },
      {
        any: [
          { column: 'brand', is: 'in', value: ['o:odd'] },
          { column: 'operator', is: '=', value: 'other' },
        ],
      },
    ];
    expect((await search(store, 'id-8', odd)).contributions).toEqual([]);
    expect((await search(store, 'id-7', odd)).contributions).toHaveLength(1);
    expect((await search(store, 'player-3', odd)).players).toEqual([{ brand: 'o:odd', player: 'player-3' }]);
  });

  test('an index serves every filter of a list, in the order of its pages', async () => {
    const place = await books.place();
    // A small table is read whole, unless that is forbidden.
    const forced = '?options=-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off';
    const store = await filled(await books.open('url' in place ? { url: `${place.url}${forced}` } : place));
    const is = (column: string, value: string | number) => ({ column, is: '=', value }) as const;
    const cases: readonly (readonly [BooksTable, readonly Condition[], string])[] = [
      ['contributions', [is('contribution_id', 'a')], 'time'],
      ['contributions', [is('key_hash', 'a')], 'time'],
      ['contributions', [is('gameround', 'a')], 'time'],
      ['contributions', [is('brand', 'a'), is('player', 'a')], 'time'],
      ['contributions', [is('brand', 'a')], 'time'],
      ['contributions', [is('instance', 'a')], 'time'],
      ['contributions', [is('operator', 'a'), is('source', 'a')], 'time'],
      ['contributions', [is('operator', 'a')], 'time'],
      ['contributions', [], 'time'],
      ['wins', [is('brand', 'a'), is('player', 'a')], 'time'],
      ['wins', [is('instance', 'a')], 'time'],
      ['wins', [is('operator', 'a')], 'time'],
      ['wins', [is('transaction_id', 'a')], 'time'],
      ['wins', [], 'time'],
      ['payments', [is('brand', 'a'), is('player', 'a')], 'opened'],
      ['payments', [is('instance', 'a')], 'opened'],
      ['payments', [is('operator', 'a')], 'opened'],
      ['payments', [is('contribution_id', 'a')], 'opened'],
      ['payments', [], 'opened'],
      ['entries', [is('instance', 'a')], 'time'],
      ['payment_changes', [is('transaction_id', 'a')], 'time'],
    ];
    for (const [name, where, order] of cases) {
      const plans = await plansOf(store, name, where, order);
      expect([
        name,
        where,
        order,
        plans.filter((line) => /Seq Scan|^SCAN (?!.* USING (COVERING )?INDEX)/.test(line)),
      ]).toEqual([...[name, where, order], []]);
      // The last columns of the order, within one time, may be sorted: never all rows of the filter.
      const isOrdered = where.length > 0 && /_id|key_hash|gameround/.test(JSON.stringify(where[0]));
      if (!isOrdered)
        expect([
          name,
          where,
          order,
          plans.filter((line) => /^\s*(->)?\s*Sort {2}\(|USE TEMP B-TREE FOR ORDER BY/.test(line)),
        ]).toEqual([...[name, where, order], []]);
    }
  });
});

const plain = { where: [], direction: 1, limit: 1 } as const;

async function filled(store: BooksStore): Promise<BooksStore> {
  const contributions = Array.from({ length: count }, (_, index) => {
    const parity = index % 2 === 0 ? 'even' : 'odd';
    return rowWith('contributions', {
      ...{ sequence: 1, command_index: index, time: noon + Math.floor(index / 10), instance: parity },
      ...{ operator: 'o', brand: `o:${parity}`, player: `player-${Math.floor(index / 2) % 10}` },
      ...{ contribution_id: `id-${index}`, gameround: `round-${index}`, contribution_amount: BigInt(index) },
      key_hash: String(index).padStart(4, '0'),
    });
  });
  const payment = rowWith('payments', { transaction_id: 'transaction', batch_id: 'batch', operator: 'o' });
  const instances = [rowWith('instances', { instance: 'even', operator: 'o' })];
  await store.write(
    batchTo(count, -1, {
      rows: { contributions, payments: [payment], instances },
      players: contributions.map(({ brand, player, instance }) => ({
        ...{ day: '2026-11-28', operator: 'o', brand, player, instance, currency: 'EUR' },
        ...{ contributions: 1, contributedAtoms: 1n, playerAtoms: 1n, wins: 0, wonAtoms: 0n },
      })),
    }),
  );
  return store;
}

/** The lines of the plan of a page's statement. */
async function plansOf(
  store: BooksStore,
  name: BooksTable,
  where: readonly Condition[],
  order: string,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const explaining: BooksStore = {
    dialect: store.dialect,
    prefix: store.prefix,
    position: (lane) => store.position(lane),
    write: (batch) => store.write(batch),
    streamPosition: (stream) => store.streamPosition(stream),
    writeStream: (batch) => store.writeStream(batch),
    forget: (players) => store.forget(players),
    isCurrent: () => store.isCurrent(),
    close: () => store.close(),
    async select(text, values) {
      const verb = store.dialect === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
      lines.push(...(await store.select(`${verb} ${text}`, values)).map(lineOf));
      return [];
    },
  };
  await rowsPage(explaining, name, { where, order: [order], direction: -1, cursor: null, limit: 50 });
  return lines;
}

function lineOf(row: AnyRow): string {
  return String(row['QUERY PLAN'] ?? row.detail);
}
