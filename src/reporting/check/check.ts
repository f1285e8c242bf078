import { formatAmount } from '../../lib/money.ts';
import { dayAt, startOfDay } from '../base/days.ts';
import type { RowOf } from '../base/tables.ts';
import { balancesBefore } from '../store/questions/balances.ts';
import { instancesInBooks } from '../store/questions/instances.ts';
import { scan } from '../store/questions/scan.ts';
import type { Condition } from '../store/questions/select.ts';
import { firstWholeDay } from '../store/retention.ts';
import type { BooksStore } from '../store/store.ts';
import { ByDay } from './by-day.ts';
import type { Finding } from './finding.ts';
import { addContribution, addEntry, addWin, emptyDay, type RecomputedDays } from './recomputed.ts';
import { checkTotals } from './totals.ts';

/** Days, both included, that get no more rows; `from` null: from the beginning. */
interface CheckedDays {
  readonly from: string | null;
  readonly to: string;
  /** Absent: all. */
  readonly instances?: ReadonlySet<string> | undefined;
}

/**
 * Whether the books of whole days agree with each other, instance by instance: each balance opens with what
 * the day before closed with, movements are those of the rows, all accounts of an instance sum to zero, and
 * totals are sums of the rows.
 */
export async function* checkBooks(
  store: BooksStore,
  days: CheckedDays,
): AsyncGenerator<Finding, void, undefined> {
  const kept = await firstWholeDay(store);
  const from = kept !== null && (days.from === null || days.from < kept) ? kept : days.from;
  for await (const instance of instancesInBooks(store))
    if (days.instances?.has(instance) !== false) yield* checkInstance(store, instance, { ...days, from });
}

/** Whether the newest balances of an instance are those that the lane has at the same place of the log. */
export function compareAccounts(
  instance: string,
  closing: ReadonlyMap<string, bigint>,
  accounts: ReadonlyMap<string, bigint>,
): readonly Finding[] {
  const names = [...new Set([...closing.keys(), ...accounts.keys()])].sort();
  return names.flatMap((account) => {
    const [expected, found] = [accounts.get(account) ?? 0n, closing.get(account) ?? 0n];
    return expected === found
      ? []
      : [balanceFinding({ instance, account, day: null }, 'the newest closing', expected, found)];
  });
}

const dayMs = 86_400_000;

async function* checkInstance(
  store: BooksStore,
  instance: string,
  { from, to }: CheckedDays,
): AsyncGenerator<Finding, void, undefined> {
  const own = { column: 'instance', is: '=', value: instance } as const;
  const within = (column: 'time' | 'day', read: (day: string) => string | number): readonly Condition[] => [
    own,
    ...(from === null ? [] : [{ column, is: '>=', value: read(from) } as const]),
    column === 'day' ? { column, is: '<=', value: to } : { column, is: '<', value: startOfDay(to) + dayMs },
  ];
  const times = { where: within('time', startOfDay), order: ['time'] };
  const dates = { where: within('day', (day) => day), order: ['day'] };
  const recomputed = [
    new ByDay(scan(store, 'contributions', times), dayOfRow, emptyDay, addContribution),
    new ByDay(scan(store, 'entries', times), dayOfRow, emptyDay, addEntry),
    new ByDay(scan(store, 'wins', times), dayOfRow, emptyDay, addWin),
  ] as const;
  const totals = new ByDay(scan(store, 'daily_totals', dates), dayOf, list<'daily_totals'>, push);
  const balances = new ByDay(scan(store, 'daily_balances', dates), dayOf, list<'daily_balances'>, push);
  const closing = new Map(await balancesBefore(store, instance, from));
  for (;;) {
    const next = await Promise.all([...recomputed, totals, balances].map((each) => each.nextDay()));
    const [day] = next.filter((each) => each !== null).sort();
    if (day === undefined) return;
    const [contributions, entries, wins] = await Promise.all(recomputed.map((each) => each.take(day)));
    const parts = { contributions, entries, wins } as RecomputedDays;
    yield* unbalanced(instance, day, parts);
    yield* checkBalances(instance, day, movedIn(parts), await balances.take(day), closing);
    yield* checkTotals(instance, day, parts, await totals.take(day));
  }
}

function unbalanced(instance: string, day: string, parts: RecomputedDays): readonly Finding[] {
  return (['contributions', 'entries'] as const).flatMap((table) =>
    parts[table].unbalanced.map(({ place, sum }) => ({
      ...{ table, instance, account: null, day, what: `the sum of the postings of row ${place}` },
      ...{ expected: '0', found: formatAmount(sum) },
    })),
  );
}

function movedIn({ contributions, entries }: RecomputedDays): ReadonlyMap<string, bigint> {
  const moved = new Map(contributions.moved);
  for (const [account, atoms] of entries.moved) moved.set(account, (moved.get(account) ?? 0n) + atoms);
  return moved;
}

/** `closing`: of each account before the day, and then of the day. */
function checkBalances(
  instance: string,
  day: string,
  moved: ReadonlyMap<string, bigint>,
  rows: readonly RowOf<'daily_balances'>[],
  closing: Map<string, bigint>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const byAccount = new Map(rows.map((row) => [row.account, row]));
  for (const account of new Set([...byAccount.keys(), ...moved.keys()])) {
    const [opens, moves] = [closing.get(account) ?? 0n, moved.get(account) ?? 0n];
    const row = byAccount.get(account);
    // One wrong figure is one day's: the next is compared with what two of rows, movement and closing say.
    const isClosed = row === undefined || row.closing === opens + moves;
    closing.set(account, opens + (isClosed ? moves : row.movement));
    const compare = (what: string, expected: bigint, found: bigint) => {
      if (expected !== found)
        findings.push(balanceFinding({ instance, account, day }, what, expected, found));
    };
    if (row === undefined) compare('the movement without a row', moves, 0n);
    else {
      compare('opening', opens, row.opening);
      compare('movement', moves, row.movement);
      compare('closing', row.opening + row.movement, row.closing);
    }
  }
  const sum = [...closing.values()].reduce((total, atoms) => total + atoms, 0n);
  if (sum !== 0n)
    findings.push(balanceFinding({ instance, account: null, day }, 'the sum of all accounts', 0n, sum));
  return findings;
}

function balanceFinding(
  where: Pick<Finding, 'instance' | 'account' | 'day'>,
  what: string,
  expected: bigint,
  found: bigint,
): Finding {
  const amounts = { expected: formatAmount(expected), found: formatAmount(found) };
  return { table: 'daily_balances', ...where, what, ...amounts };
}

function dayOfRow({ time }: { readonly time: number }): string {
  return dayAt(time);
}

function dayOf({ day }: { readonly day: string }): string {
  return day;
}

function list<T extends 'daily_totals' | 'daily_balances'>(): RowOf<T>[] {
  return [];
}

function push<R>(rows: R[], row: R): void {
  rows.push(row);
}
