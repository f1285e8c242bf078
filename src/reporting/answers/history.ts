import type { InstanceHistory } from '../../contracts/reports/instance-history.ts';
import type { BooksQuestion } from '../../contracts/reports/questions.ts';
import { writeJson } from '../../lib/json.ts';
import { formatAmount } from '../../lib/money.ts';
import { dayAt, startOfDay } from '../base/days.ts';
import { reportingLimits } from '../base/limits.ts';
import { balancesAt, balancesAtPosition } from '../store/questions/balances.ts';
import { type Condition, selectColumns } from '../store/questions/select.ts';
import { sumsBy } from '../store/questions/sums.ts';
import { atomsOf } from '../store/reading.ts';
import { firstWholeDay } from '../store/retention.ts';
import type { BooksStore } from '../store/store.ts';
import type { Found, NotFound } from './found.ts';

type Question = Extract<BooksQuestion, { readonly kind: 'history' }>;

const secondMs = 1_000;
const dayMs = 86_400_000;
/** Intervals that add up to days; longer ones are whole days. */
const partsOfDay = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200].map((each) => each * secondMs);

/** Intervals of equal length, and what happened in each. */
class Intervals {
  readonly beginMs: number;
  readonly lengthMs: number;
  readonly count: number;
  readonly contributions: number[];
  readonly contributed: bigint[];
  readonly wins: number[];
  readonly won: bigint[];

  constructor(beginMs: number, lengthMs: number, count: number) {
    this.beginMs = beginMs;
    this.lengthMs = lengthMs;
    this.count = count;
    this.contributions = new Array<number>(count).fill(0);
    this.contributed = new Array<bigint>(count).fill(0n);
    this.wins = new Array<number>(count).fill(0);
    this.won = new Array<bigint>(count).fill(0n);
  }

  get endMs(): number {
    return this.endOf(this.count - 1);
  }

  endOf(index: number): number {
    return this.beginMs + (index + 1) * this.lengthMs;
  }

  /** The interval of a time; `count`: it is behind the last one. */
  at(timeMs: number): number {
    return Math.min(this.count, Math.floor((timeMs - this.beginMs) / this.lengthMs));
  }

  contribute(index: number, count: number, atoms: bigint): void {
    if (index === this.count) return;
    this.contributions[index]! += count;
    this.contributed[index]! += atoms;
  }

  win(index: number, count: number, atoms: bigint): void {
    if (index === this.count) return;
    this.wins[index]! += count;
    this.won[index]! += atoms;
  }
}

interface History {
  readonly intervals: Intervals;
  /** At the ends. */
  readonly accounts: ReadonlyMap<string, readonly bigint[]>;
}

/** An instance over time: from its rows where these are few, else from what the books keep of each day. */
export async function history(store: BooksStore, question: Question): Promise<Found | NotFound> {
  const { instance, from, to, points } = question;
  const of: Condition = { column: 'instance', is: '=', value: instance };
  const [row] = await selectColumns(store, 'instances', ['currency'], { where: [of], limit: 1 });
  if (row === undefined) return 'missing';
  const part = partsOfDay.find((each) => countOf(from, to, each) <= points);
  const fine = part === undefined ? null : await ofRows(store, question, part);
  const found = fine ?? (await ofDays(store, question));
  if (found === null) return 'too_large';
  const [opening] = await selectColumns(store, 'openings', ['day'], { where: [of], limit: 1 });
  const { intervals, accounts } = found;
  const begins = opening === undefined ? Number.NEGATIVE_INFINITY : startOfDay(opening.day);
  const ends = Array.from({ length: intervals.count }, (_, index) => intervals.endOf(index));
  const view: InstanceHistory = {
    instance_id: instance,
    currency: row.currency,
    resolution: intervals.lengthMs,
    from: intervals.beginMs,
    ends,
    accounts: Object.fromEntries(
      [...accounts].map(([account, values]) => [
        account,
        values.map((atoms, index) => (ends[index]! <= begins ? null : formatAmount(atoms))),
      ]),
    ),
    contributions: intervals.contributions,
    contributed: intervals.contributed.map(formatAmount),
    wins: intervals.wins,
    won: intervals.won.map(formatAmount),
  };
  return { body: writeJson(view) };
}

function countOf(from: number, to: number, lengthMs: number): number {
  return Math.ceil(to / lengthMs) - Math.floor(from / lengthMs);
}

/**
 * From the balances at the end of the last day, back over the rows behind each end. null: they are too many,
 * or not kept any more.
 */
async function ofRows(
  store: BooksStore,
  { lane, instance, from, to }: Question,
  lengthMs: number,
): Promise<History | null> {
  const beginMs = Math.floor(from / lengthMs) * lengthMs;
  const intervals = new Intervals(beginMs, lengthMs, countOf(from, to, lengthMs));
  const lastDay = dayAt(intervals.endMs - 1);
  const { sequence, balances } = await balancesAtPosition(store, lane, instance, lastDay);
  const limit = reportingLimits.historyRows + 1;
  const rowsUntil = (toMs: number) => ({
    where: [
      { column: 'instance', is: '=', value: instance },
      { column: 'time', is: '>=', value: beginMs },
      { column: 'time', is: '<', value: toMs },
      // Later ones are not in the balances.
      { column: 'sequence', is: '<=', value: sequence },
    ] satisfies Condition[],
    order: ['time'],
    limit,
  });
  const selection = rowsUntil(startOfDay(lastDay) + dayMs);
  const taken = await selectColumns(
    store,
    'contributions',
    ['time', 'split', 'contribution_amount'],
    selection,
  );
  if (taken.length === limit) return null;
  const entries = await selectColumns(store, 'entries', ['time', 'split'], selection);
  if (entries.length === limit) return null;
  const wins = await selectColumns(store, 'wins', ['time', 'amount'], rowsUntil(intervals.endMs));
  const firstDay = await firstWholeDay(store);
  if (wins.length === limit || (firstDay !== null && dayAt(beginMs) < firstDay)) return null;
  for (const { time, contribution_amount } of taken)
    intervals.contribute(intervals.at(time), 1, contribution_amount);
  for (const { time, amount } of wins) intervals.win(intervals.at(time), 1, amount);
  return { intervals, accounts: backFrom(balances, [...taken, ...entries], intervals) };
}

function backFrom(
  balances: ReadonlyMap<string, bigint>,
  rows: readonly { readonly time: number; readonly split: unknown }[],
  intervals: Intervals,
): History['accounts'] {
  const moved = new Map<string, bigint[]>();
  for (const { time, split } of rows) {
    const index = intervals.at(time);
    for (const [account, decimal] of Object.entries(split as Readonly<Record<string, string>>)) {
      const sums = moved.get(account) ?? new Array<bigint>(intervals.count + 1).fill(0n);
      moved.set(account, sums);
      sums[index]! += atomsOf(decimal);
    }
  }
  return new Map(
    [...balances].map(([account, closing]) => {
      const sums = moved.get(account);
      const values = new Array<bigint>(intervals.count).fill(closing);
      let value = closing;
      for (let index = intervals.count - 1; index >= 0; index -= 1) {
        value -= sums?.[index + 1] ?? 0n;
        values[index] = value;
      }
      return [account, values] as const;
    }),
  );
}

/** From daily balances and totals. null: they are too many. */
async function ofDays(store: BooksStore, { instance, from, to, points }: Question): Promise<History | null> {
  const days = countOf(from, to, dayMs);
  const length = Math.ceil(days / points);
  const beginMs = Math.floor(from / dayMs) * dayMs;
  const intervals = new Intervals(beginMs, length * dayMs, Math.ceil(days / length));
  const where: readonly Condition[] = [
    { column: 'instance', is: '=', value: instance },
    { column: 'day', is: '>=', value: dayAt(beginMs) },
    { column: 'day', is: '<=', value: dayAt(intervals.endMs - 1) },
  ];
  const limit = reportingLimits.historyBalances + 1;
  const columns = ['account', 'day', 'opening', 'closing'] as const;
  const rows = await selectColumns(store, 'daily_balances', columns, { where, limit });
  if (rows.length === limit) return null;
  // Behind the rows: what has none of these has not moved since.
  const before = await balancesAt(store, instance, dayAt(beginMs - 1));
  const accounts = new Map<string, bigint[]>();
  for (const [account, atoms] of before)
    accounts.set(account, new Array<bigint>(intervals.count).fill(atoms));
  let last = '';
  for (const { account, day, opening, closing } of rows) {
    if (account !== last) accounts.set(account, new Array<bigint>(intervals.count).fill(opening));
    last = account;
    accounts.get(account)!.fill(closing, intervals.at(startOfDay(day)));
  }
  const ofInstance: Condition = { column: 'pot', is: '=', value: '' };
  const measures = ['contributions', 'contributed', 'wins', 'won'];
  for (const { group, sums } of await sumsBy(store, 'daily_totals', ['day'], measures, [
    ...where,
    ofInstance,
  ])) {
    const index = intervals.at(startOfDay(group.day!));
    intervals.contribute(index, Number(sums.contributions), sums.contributed ?? 0n);
    intervals.win(index, Number(sums.wins), sums.won ?? 0n);
  }
  return { intervals, accounts };
}
