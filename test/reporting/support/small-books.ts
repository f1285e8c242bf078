import { formatAmount } from '../../../src/lib/money.ts';
import type { DailyChange, LaneBatch, Movement } from '../../../src/reporting/base/lane-batch.ts';
import type { RowOf } from '../../../src/reporting/base/tables.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, dayMs, noon, rowWith } from './batches.ts';

/** Books of two instances over some days, each figure written down as it happens: contributions, a win, an adjustment a day. */

export const instances = ['first', 'second'] as const;

type Amounts = Readonly<Record<string, bigint>>;

export async function fillSmallBooks(store: BooksStore, days: number): Promise<void> {
  const openings = instances.flatMap((instance) =>
    Object.entries({ house: 500n, 'mega.seed': 250n, adjustment: -750n }).map(
      ([account, balance]): RowOf<'openings'> => ({
        ...{ instance, account, lane: 0, sequence: 0, day: dayOf(0), balance },
      }),
    ),
  );
  await store.write(batchTo(0, -1, { openings }));
  // A day without anything lies between them.
  for (let day = 0; day < days; day += 1) await store.write(batchOfDay(day + 1, day * 2));
}

export function dayOf(day: number): string {
  return new Date(noon + day * dayMs).toISOString().slice(0, 10);
}

function batchOfDay(sequence: number, day: number): LaneBatch {
  const time = noon + day * dayMs;
  const contributions: RowOf<'contributions'>[] = [];
  const wins: RowOf<'wins'>[] = [];
  const entries: RowOf<'entries'>[] = [];
  const movements: Movement[] = [];
  const dailyTotals: DailyChange[] = [];
  instances.forEach((instance, which) => {
    const part = { day: dayOf(day), operator: 'o', brand: 'o:b', instance, pot: '', currency: 'EUR' };
    const place = (index: number) => ({ sequence, time, instance, command_index: index * 2 + which });
    const move = (amounts: Amounts) => {
      for (const [account, atoms] of Object.entries(amounts))
        movements.push({ day: dayOf(day), instance, account, atoms });
      return Object.fromEntries(
        Object.entries(amounts).map(([account, atoms]) => [account, formatAmount(atoms)]),
      );
    };
    for (let index = 0; index < 5; index += 1) {
      const atoms = 100n + BigInt(index) + 2n ** 60n;
      contributions.push(
        rowWith('contributions', {
          ...{ ...place(index), operator: 'o', brand: 'o:b', player: `p${index}` },
          ...{ instance_wager_amount: 1_000n, contribution_amount: atoms, player_part: atoms - 40n },
          ...{ operator_part: 40n, debit_amount: atoms - 40n, bonus_amount: 10n },
          split: move({
            ...{ player: 40n - atoms, operator_capital: -20n, house: 30n, 'mega.seed': 7n },
            'mega.current': atoms - 57n,
          }),
        }),
      );
      dailyTotals.push({
        ...part,
        measures: {
          ...{ contributions: 1n, wagered: 1_000n, contributed: atoms, player_part: atoms - 40n },
          ...{ operator_part: 40n, bonus: 10n, house: 30n, seed_collected: 7n, repaid: 20n },
        },
      });
      dailyTotals.push({ ...part, pot: 'mega', measures: { contributed: atoms - 50n, seed_collected: 7n } });
    }
    wins.push(
      rowWith('wins', { ...place(0), kind: 'main', pot: 'mega', operator: 'o', brand: 'o:b', amount: 90n }),
    );
    for (const pot of ['', 'mega']) dailyTotals.push({ ...part, pot, measures: { wins: 1n, won: 90n } });
    const win = { ...place(0), phase: 'win', kind: 'Contribute' };
    entries.push(
      rowWith('entries', { ...win, split: move({ 'mega.current': -90n, player: 85n, operator_fee: 5n }) }),
    );
    const adjustment = { ...place(9), phase: 'command', kind: 'AdjustPot' };
    entries.push(rowWith('entries', { ...adjustment, split: move({ house: 11n, adjustment: -11n }) }));
    dailyTotals.push({ ...part, measures: { fees: 5n } });
    dailyTotals.push({ ...part, brand: '', measures: { adjusted: 11n } });
  });
  const position = { ...batchTo(sequence, 0).position, timestampMs: time };
  return batchTo(sequence, sequence - 1, {
    ...{ position, rows: { contributions, wins, entries }, movements, dailyTotals },
  });
}
