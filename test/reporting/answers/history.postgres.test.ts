import { expect, test } from 'vitest';
import {
  type InstanceHistory,
  instanceHistoryShape,
} from '../../../src/contracts/reports/instance-history.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import { answerBooks } from '../../../src/reporting/answers/answer.ts';
import { dayAt, startOfDay } from '../../../src/reporting/base/days.ts';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import { selectRows } from '../../../src/reporting/store/questions/select.ts';
import { removeRowsBefore } from '../../../src/reporting/store/retention.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { ProjectedLane, testSystem } from '../support/booked-lane.ts';
import { onEachDatabase } from '../support/places.ts';

const hourMs = 3_600_000;
/** What a history has of each of its intervals. */
const measures = ['contributions', 'contributed', 'wins', 'won'] as const;

async function historyOf(
  store: BooksStore,
  instance: string,
  from: number,
  to: number,
  points: number,
): Promise<InstanceHistory> {
  const asked = { kind: 'history', lane: 0, instance, from, to, points } as const;
  const answer = await answerBooks(store, asked);
  if (answer.kind !== 'found') throw new Error(answer.kind);
  return instanceHistoryShape.parse(JSON.parse(answer.body));
}

/** A random history of some weeks, and its books. */
function played(): { readonly lane: ProjectedLane; readonly run: MixedRun } {
  const run = new MixedRun(3);
  run.apply(run.begin());
  while (run.commands < 1_200) run.apply(run.next());
  const lane = new ProjectedLane();
  for (const message of run.lane.log) lane.take(lane.booked.apply(message));
  return { lane, run };
}

/** The accounts of an instance behind each message, by its time: as the engine has them. */
function statesOf(run: MixedRun, instance: string) {
  const again = new ProjectedLane();
  return run.lane.log.map((message) => {
    again.booked.apply(message);
    return { timeMs: message.timestampMs, accounts: new Map(again.engine.accounts(instance) ?? []) };
  });
}

/** The sums of all intervals together. */
function sumsOf(history: InstanceHistory): Record<(typeof measures)[number], string> {
  const total = (values: readonly (string | number)[]) =>
    formatAmount(values.reduce((sum, each) => sum + atomsOf(String(each)), 0n));
  return Object.fromEntries(measures.map((name) => [name, total(history[name])])) as never;
}

function atomsOf(decimal: string): bigint {
  const [units = '', decimals = ''] = decimal.split('.');
  return BigInt(units + decimals.padEnd(8, '0'));
}

onEachDatabase((books) => {
  test('the accounts at each end are those of the engine, and the sums those of the days', async () => {
    const { lane, run } = played();
    const store = await books.open(undefined, testSystem);
    for (const batch of lane.batches) await store.write(batch);
    const [from, to] = [run.lane.log[0]!.timestampMs, run.lane.log.at(-1)!.timestampMs + 1];
    let compared = 0;
    for (const instance of run.instances.slice(0, 6)) {
      const states = statesOf(run, instance);
      const totals = await selectRows(store, 'daily_totals', {
        where: [
          { column: 'instance', is: '=', value: instance },
          { column: 'pot', is: '=', value: '' },
        ],
        limit: 10_000,
      });
      const expected = Object.fromEntries(
        measures.map((name) => {
          const isCount = name === 'contributions' || name === 'wins';
          const sum = totals.reduce((all, row) => all + BigInt(row[name]), 0n);
          return [name, isCount ? String(sum) : formatAmount(sum)];
        }),
      );
      for (const points of [500, 100, 20, 1]) {
        const history = await historyOf(store, instance, from, to, points);
        expect(history.ends.length).toBeLessThanOrEqual(points);
        expect(history.from).toBeLessThanOrEqual(from);
        expect(history.ends.at(-1)).toBeGreaterThanOrEqual(to);
        expect(history.ends.map((end, index) => end - (history.ends[index - 1] ?? history.from))).toEqual(
          history.ends.map(() => history.resolution),
        );
        expect(sumsOf(history)).toEqual(expected);
        for (const [index, end] of history.ends.entries()) {
          const then = states.findLast(({ timeMs }) => timeMs < end)?.accounts ?? new Map<string, bigint>();
          const found = Object.entries(history.accounts).map(([name, values]) => [name, values[index]]);
          const moved = Object.fromEntries([...then].map(([name, atoms]) => [name, formatAmount(atoms)]));
          // An account that never moved is in no row.
          for (const [name, value] of found) expect(value).toBe(moved[name as string] ?? '0');
          const missing = Object.keys(moved).filter((name) => history.accounts[name] === undefined);
          expect(missing.filter((name) => moved[name] !== '0')).toEqual([]);
          expect(found.reduce((sum, [, value]) => sum + atomsOf(String(value)), 0n)).toBe(0n);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  test('a part of the time has its own rows alone, in intervals that are round', async () => {
    const { lane, run } = played();
    const store = await books.open(undefined, testSystem);
    for (const batch of lane.batches) await store.write(batch);
    const [instance = ''] = run.instances;
    const rows = lane.rows('contributions').filter((row) => row.instance === instance);
    const { time } = rows[Math.floor(rows.length / 2)]!;
    const history = await historyOf(store, instance, time - 5 * 60_000, time + 5 * 60_000, 100);
    expect(history.resolution).toBe(15_000);
    expect(history.from % 15_000).toBe(0);
    const within = rows.filter((row) => row.time >= history.from && row.time < history.ends.at(-1)!);
    expect(sumsOf(history).contributions).toBe(String(within.length));
    const states = statesOf(run, instance);
    for (const [index, end] of history.ends.entries()) {
      const then = states.findLast(({ timeMs }) => timeMs < end)!.accounts;
      for (const [name, values] of Object.entries(history.accounts))
        expect(values[index]).toBe(formatAmount(then.get(name) ?? 0n));
    }
  });

  test('rows that are too many, or not kept any more, give days', async () => {
    const store = await books.open();
    const of = { instance: 'hot', operator: 'o', brand: 'o:b', player: 'p' };
    const contributed = 100_000_000n;
    const count = reportingLimits.historyRows + 1;
    const contributions = Array.from({ length: count }, (_, index) =>
      rowWith('contributions', {
        ...{ ...of, sequence: 1, command_index: index, time: noon, made_index: index },
        ...{ segments: [], split: { house: '1', player: '-1' }, contribution_amount: contributed },
      }),
    );
    const day = dayAt(noon);
    const sum = contributed * BigInt(count);
    await store.write(
      batchTo(1, -1, {
        rows: { contributions, instances: [rowWith('instances', { ...of, currency: 'EUR' } as never)] },
        movements: [
          { day, instance: 'hot', account: 'house', atoms: sum },
          { day, instance: 'hot', account: 'player', atoms: -sum },
        ],
        dailyTotals: [
          {
            ...{ day, instance: 'hot', operator: 'o', brand: 'o:b', pot: '', currency: 'EUR' },
            measures: { contributions: BigInt(count), contributed: sum },
          },
        ],
      }),
    );
    const whole = await historyOf(store, 'hot', noon - hourMs, noon + hourMs, 100);
    expect(whole).toMatchObject({
      ...{ resolution: dayMs, from: startOfDay(day), ends: [startOfDay(day) + dayMs] },
      ...{ contributions: [count], contributed: [formatAmount(sum)] },
      accounts: { house: [formatAmount(sum)], player: [formatAmount(-sum)] },
    });
    // One row less than too many.
    await store.select(
      `DELETE FROM ${store.prefix}"contributions" WHERE "command_index" = 0 RETURNING 1`,
      [],
    );
    const fine = await historyOf(store, 'hot', noon - hourMs, noon + hourMs, 100);
    expect(fine.resolution).toBe(300_000);
    expect(fine.contributions.filter((each) => each > 0)).toEqual([count - 1]);
    await removeRowsBefore(store, dayAt(noon + dayMs));
    expect(await historyOf(store, 'hot', noon - hourMs, noon + hourMs, 100)).toEqual(whole);
  });

  test('before the books of an instance begin, nothing is known of its accounts', async () => {
    const store = await books.open();
    const day = dayAt(noon);
    const opening = { instance: 'old', lane: 0, sequence: 1, day };
    await store.write(
      batchTo(1, -1, {
        rows: { instances: [rowWith('instances', { instance: 'old', currency: 'EUR' })] },
        openings: [
          { ...opening, account: 'house', balance: 7n },
          { ...opening, account: 'player', balance: -7n },
        ],
      }),
    );
    const from = startOfDay(day) - 2 * dayMs;
    for (const [points, resolution] of [
      [4, dayMs],
      [100, hourMs],
    ] as const) {
      const { accounts, ends, ...history } = await historyOf(store, 'old', from, noon, points);
      expect(history.resolution).toBe(resolution);
      const known = ends.map((end) => (end <= startOfDay(day) ? null : '0.00000007'));
      expect(accounts).toEqual({ house: known, player: known.map((each) => each && `-${each}`) });
    }
    const asked = { kind: 'history', lane: 0, instance: 'none', from, to: noon, points: 5 } as const;
    expect((await answerBooks(store, asked)).kind).toBe('missing');
  });
});
