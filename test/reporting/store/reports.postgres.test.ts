import { expect, test } from 'vitest';
import type { DailyChange, PlayerChange } from '../../../src/reporting/base/lane-batch.ts';
import { dailyReport } from '../../../src/reporting/store/questions/daily-report.ts';
import { playerTotals } from '../../../src/reporting/store/questions/players.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo } from '../support/batches.ts';
import { onEachDatabase } from '../support/places.ts';

onEachDatabase((books) => {
  test('a report adds up by what it is grouped by, each currency for itself', async () => {
    const store = await filled(await books.open());
    const report = async (groupBy: Parameters<typeof dailyReport>[1]['groupBy'], brand?: string) =>
      (
        await dailyReport(store, {
          ...{ from: '2026-11-01', to: '2026-11-30', groupBy, after: null, limit: 100, countsPlayers: true },
          where: brand === undefined ? [] : [{ column: 'brand', is: '=', value: brand }],
        })
      ).map(({ group, sums, players }) => [...Object.values(group), sums.won, sums.wins, players]);
    const large = 2n ** 66n;
    expect(await report([])).toEqual([
      ['EUR', large * 3n, 3n, 2],
      ['SEK', 5n, 1n, 1],
    ]);
    expect(await report(['brand'])).toEqual([
      ['o:a', 'EUR', large * 2n, 2n, 1],
      ['o:a', 'SEK', 5n, 1n, 1],
      ['o:b', 'EUR', large, 1n, 1],
    ]);
    expect(await report(['day'], 'o:a')).toEqual([
      ['2026-11-28', 'EUR', large, 1n, 1],
      ['2026-11-28', 'SEK', 5n, 1n, 1],
      ['2026-11-29', 'EUR', large, 1n, 1],
    ]);
    expect(await report(['pot'])).toEqual([
      ['mega', 'EUR', large * 3n, 3n, null],
      ['mega', 'SEK', 5n, 1n, null],
    ]);
    expect(await report([], 'o:none')).toEqual([]);
  });

  test('totals of a player are by instance, within days', async () => {
    const store = await filled(await books.open());
    const of = async (from: string | null, to: string | null) =>
      (await playerTotals(store, 'o:a', 'p', from, to)).map(({ group, sums }) => [
        group.instance,
        sums.contributions,
        sums.won,
      ]);
    const large = 2n ** 66n;
    expect(await of(null, null)).toEqual([
      ['eur', 2n, large * 2n],
      ['sek', 1n, 5n],
    ]);
    expect(await of('2026-11-29', null)).toEqual([['eur', 1n, large]]);
    expect(await of(null, '2026-11-28')).toEqual([
      ['eur', 1n, large],
      ['sek', 1n, 5n],
    ]);
    expect(await playerTotals(store, 'o:b', 'p', '2027-01-01', null)).toEqual([]);
  });
});

async function filled(store: BooksStore): Promise<BooksStore> {
  const large = 2n ** 66n;
  const days = [
    ['2026-11-28', 'o:a', 'eur', 'EUR', large],
    ['2026-11-29', 'o:a', 'eur', 'EUR', large],
    ['2026-11-28', 'o:b', 'eur', 'EUR', large],
    ['2026-11-28', 'o:a', 'sek', 'SEK', 5n],
    // Outside of the month.
    ['2026-12-01', 'o:c', 'sek', 'SEK', 7n],
  ] as const;
  const dailyTotals = days.flatMap(([day, brand, instance, currency, won]): DailyChange[] =>
    ['', 'mega'].map((pot) => ({
      day,
      operator: 'o',
      brand,
      instance,
      pot,
      currency,
      measures: { won, wins: 1n },
    })),
  );
  const players = days.map(
    ([day, brand, instance, currency, wonAtoms]): PlayerChange => ({
      ...{ day, operator: 'o', brand, player: 'p', instance, currency },
      ...{ contributions: 1, contributedAtoms: 1n, playerAtoms: 1n, wins: 1, wonAtoms },
    }),
  );
  await store.write(batchTo(1, -1, { dailyTotals, players }));
  return store;
}
