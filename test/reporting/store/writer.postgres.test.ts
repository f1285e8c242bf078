import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/reporting/base/errors.ts';
import type { LaneBatch, Movement } from '../../../src/reporting/base/lane-batch.ts';
import { type BooksTable, type RowOf, schemaVersion } from '../../../src/reporting/base/tables.ts';
import { scan } from '../../../src/reporting/store/questions/scan.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { onEachDatabase, systemId } from '../support/places.ts';

onEachDatabase((books) => {
  test('a lane goes on from its position, and from no other', async () => {
    const store = await books.open();
    expect(await store.position(0)).toBeNull();
    const first = batchTo(5, -1, { rows: { statuses: [status(5)] } });
    await store.write(first);
    expect(await store.position(0)).toEqual({ ...first.position, systemId });
    for (const wrong of [first, batchTo(9, 4), batchTo(9, 6), batchTo(9, -1)])
      await expect(store.write({ ...wrong, rows: { statuses: [status(9)] } })).rejects.toMatchObject({
        code: 'reporting_fenced',
        retryable: true,
      });
    expect(await rowsOf(store, 'statuses')).toEqual([status(5)]);
    await store.write(batchTo(9, 5));
    expect(await store.position(0)).toMatchObject({ sequence: 9, head: 'head-9', timestampMs: noon + 9 });
    expect(await store.position(1)).toBeNull();
  });

  test('of two writers of a lane, one writes and the other is fenced', async () => {
    const place = await books.place();
    const stores = [await books.open(place), await books.open(place)] as const;
    await stores[0].write(batchTo(1, -1));
    for (let sequence = 2; sequence < 20; sequence += 1) {
      const tried = await Promise.allSettled(
        stores.map((store) =>
          store.write(batchTo(sequence, sequence - 1, { rows: { statuses: [status(sequence)] } })),
        ),
      );
      expect(tried.map(({ status: end }) => end).sort()).toEqual(['fulfilled', 'rejected']);
      expect(tried.find(({ status: end }) => end === 'rejected')).toMatchObject({
        reason: { code: 'reporting_fenced' },
      });
    }
    expect((await rowsOf(stores[0], 'statuses')).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 18 }, (_, index) => index + 2),
    );
  });

  test('a batch is written whole or not at all', async () => {
    const store = await books.open();
    await store.write(batchTo(1, -1, { rows: { statuses: [status(1)] } }));
    const batch = batchTo(2, 1, {
      rows: { statuses: [status(2)], tickets: [ticket(2), ticket(2)] },
      movements: [movement('2026-11-28', 5n)],
    });
    await expect(store.write(batch)).rejects.toThrow();
    expect(await store.position(0)).toMatchObject({ sequence: 1 });
    expect(await rowsOf(store, 'statuses')).toEqual([status(1)]);
    expect(await rowsOf(store, 'daily_balances')).toEqual([]);
    await store.write({ ...batch, rows: { tickets: [ticket(2)] } });
    expect(await rowsOf(store, 'tickets')).toEqual([ticket(2)]);
  });

  test('what is closed and opened again goes on', async () => {
    const place = await books.place();
    const store = await books.open(place);
    await store.write(batchTo(1, -1, { movements: [movement('2026-11-28', 5n)] }));
    await store.close();
    const again = await books.open(place);
    await again.write(batchTo(2, 1, { movements: [movement('2026-11-28', 7n)] }));
    expect(await rowsOf(again, 'daily_balances')).toEqual([balance('2026-11-28', 0n, 12n)]);
  });

  test('a day opens with what the last one with movements closed with, or the books of the instance with', async () => {
    const store = await books.open();
    const opening: RowOf<'openings'> = {
      ...{ instance: 'one', account: 'house', lane: 0, sequence: 7 },
      ...{ day: '2026-11-27', balance: 2n ** 70n },
    };
    await store.write(batchTo(8, -1, { openings: [opening] }));
    // Two days in one batch, the later first, and two movements of one account.
    await store.write(
      batchTo(9, 8, {
        movements: [movement('2026-12-02', -3n), movement('2026-11-28', 1n), movement('2026-11-28', 1n)],
      }),
    );
    await store.write(batchTo(10, 9, { movements: [movement('2026-12-02', 10n)] }));
    expect(await rowsOf(store, 'daily_balances')).toEqual([
      balance('2026-11-27', 2n ** 70n, 0n),
      balance('2026-11-28', 2n ** 70n, 2n),
      balance('2026-12-02', 2n ** 70n + 2n, 7n),
    ]);
    expect(await rowsOf(store, 'openings')).toEqual([opening]);
  });

  test('totals and balances are exact sums of whatever came, in whatever batches', async () => {
    const atoms = fc.bigInt(-(2n ** 66n), 2n ** 66n);
    const name = fc.constantFrom('a', 'b');
    const change = fc.record({ instance: name, brand: name, atoms });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (all) => {
          const store = await books.open();
          for (const [index, changes] of all.entries())
            await store.write(batchTo(index, index - 1, sumsOf(changes, index)));
          const expected = new Map<string, bigint>();
          const count = new Map<string, number>();
          const moved = new Map<string, bigint>();
          for (const { instance, brand, atoms: added } of all.flat()) {
            const key = `${instance} ${brand}`;
            expected.set(key, (expected.get(key) ?? 0n) + added);
            count.set(key, (count.get(key) ?? 0) + 1);
            moved.set(instance, (moved.get(instance) ?? 0n) + added);
          }
          const totals = await rowsOf(store, 'daily_totals');
          expect(sorted(totals.map((row) => [`${row.instance} ${row.brand}`, row.won, row.wins]))).toEqual(
            sorted([...expected].map(([key, sum]) => [key, sum, count.get(key)])),
          );
          expect(totals.every(({ contributed }) => contributed === 0n)).toBe(true);
          const players = await rowsOf(store, 'daily_players');
          expect(sorted(players.map((row) => [`${row.instance} ${row.brand}`, row.won, row.wins]))).toEqual(
            sorted([...expected].map(([key, sum]) => [key, sum, count.get(key)])),
          );
          const closing = new Map<string, bigint>();
          for (const row of await rowsOf(store, 'daily_balances')) closing.set(row.instance, row.closing);
          expect(sorted([...closing])).toEqual(sorted([...moved]));
          await store.close();
        },
      ),
      { numRuns: books.dialect === 'postgres' ? 6 : 30 },
    );
  });

  test('books of another release or system are refused, by name', async () => {
    const place = await books.place();
    const store = await books.open(place);
    await expect(books.open(place, 'another')).rejects.toMatchObject({ code: 'reporting_other_system' });
    const setVersion = (version: number) =>
      store.select(
        `UPDATE ${store.prefix}facts SET value = '${version}' WHERE name = 'schema_version' RETURNING name`,
        [],
      );
    await setVersion(schemaVersion + 1);
    await expect(books.open(place)).rejects.toMatchObject({
      code: 'reporting_schema_newer',
      retryable: false,
    });
    await setVersion(schemaVersion - 1);
    await expect(books.open(place)).rejects.toMatchObject({ code: 'reporting_schema_older' });
    await setVersion(schemaVersion);
    await books.open(place);
  });
});

function status(sequence: number): RowOf<'statuses'> {
  return rowWith('statuses', { sequence, instance: 'one', status: 'Active' });
}

function ticket(sequence: number): RowOf<'tickets'> {
  return rowWith('tickets', { sequence, instance: 'one', brand: 'a:b', player: 'p' });
}

function movement(day: string, atoms: bigint): Movement {
  return { day, instance: 'one', account: 'house', atoms };
}

function balance(day: string, opening: bigint, moved: bigint): RowOf<'daily_balances'> {
  return { day, instance: 'one', account: 'house', opening, movement: moved, closing: opening + moved };
}

function sumsOf(
  changes: readonly { readonly instance: string; readonly brand: string; readonly atoms: bigint }[],
  days: number,
): Partial<LaneBatch> {
  const day = '2026-11-28';
  const later = new Date(noon + Math.floor(days / 2) * dayMs).toISOString().slice(0, 10);
  return {
    dailyTotals: changes.map(({ instance, brand, atoms }) => ({
      ...{ day, operator: 'o', brand, instance, pot: '', currency: 'EUR' },
      measures: { won: atoms, wins: 1n },
    })),
    players: changes.map(({ instance, brand, atoms }) => ({
      ...{ day, operator: 'o', brand, player: 'p', instance, currency: 'EUR' },
      ...{ contributions: 0, contributedAtoms: 0n, playerAtoms: 0n, wins: 1, wonAtoms: atoms },
    })),
    movements: changes.map(({ instance, atoms }) => ({ day: later, instance, account: 'house', atoms })),
  };
}

async function rowsOf<T extends BooksTable>(store: BooksStore, name: T): Promise<RowOf<T>[]> {
  const rows: RowOf<T>[] = [];
  for await (const row of scan(store, name, { where: [] })) rows.push(row);
  return rows;
}

function sorted<T extends readonly unknown[]>(rows: readonly T[]): T[] {
  return [...rows].sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

test('an error of the store says whether it passes', () => {
  expect(new StoreError('reporting_unavailable', '').retryable).toBe(true);
  expect(new StoreError('reporting_other_system', '').retryable).toBe(false);
});
