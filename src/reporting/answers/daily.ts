import { type BooksQuestion, dailyGroups } from '../../contracts/reports/questions.ts';
import { type DailyReportView, reportSums } from '../../contracts/reports/rows.ts';
import { writeJson } from '../../lib/json.ts';
import type { RowOf } from '../base/tables.ts';
import {
  columnsOf,
  countDailyLines,
  type DailyReportLine,
  dailyReport,
} from '../store/questions/daily-report.ts';
import { type Liability, liabilities, liabilityKey } from '../store/questions/liabilities.ts';
import { readCursor, writeCursor } from '../store/questions/pages.ts';
import { type Condition, namesBrand, selectRows } from '../store/questions/select.ts';
import type { BooksStore } from '../store/store.ts';
import { configuredReturn } from './configured-return.ts';
import type { Found, NotFound } from './found.ts';
import { shareText } from './shares.ts';
import { textsThatFit } from './texts.ts';

type Question = Extract<BooksQuestion, { readonly kind: 'daily' }>;

/** Totals of days by group; a page of them. */
export async function daily(store: BooksStore, question: Question): Promise<Found | NotFound> {
  const { from, to, where, countsPlayers, limit } = question;
  const groupBy = dailyGroups.filter((each) => question.groupBy.includes(each));
  const columns = columnsOf(groupBy);
  const after = question.cursor === null ? null : readCursor('daily_totals', columns, question.cursor);
  if (after === null && question.cursor !== null) return 'bad_cursor';
  const found = await dailyReport(store, {
    ...{ from, to, groupBy, where, countsPlayers },
    after: after as readonly string[] | null,
    limit: limit + 1,
  });
  const lines = found.slice(0, limit);
  const [total, owed, instances] = await Promise.all([
    after === null ? countDailyLines(store, { from, to, groupBy, where }) : null,
    owedBy(store, question, groupBy, lines),
    groupBy.includes('instance') ? instancesOf(store, lines) : new Map<string, RowOf<'instances'>>(),
  ]);
  const texts = textsThatFit(lines, (line) => {
    const { day = to, instance = '', pot = null } = line.group;
    const liability = owed?.get(liabilityKey(groupBy, day, line.group));
    const view = lineView(line, {
      liability: owed === null ? null : (liability ?? { atoms: 0n, potAtoms: 0n }),
      configured: configuredReturn(instances.get(instance)?.configuration, pot),
    });
    return writeJson(view);
  });
  const last = lines[texts.length - 1];
  const hasMore = found.length > texts.length && last !== undefined;
  const cursor = hasMore ? writeCursor(columns.map((column) => last.group[column] ?? '')) : null;
  return { body: `[${texts.join(',')}]`, cursor, total };
}

/** null: it is the instances', and the lines are about brands. */
async function owedBy(
  store: BooksStore,
  { to, where }: Question,
  groupBy: Question['groupBy'],
  lines: readonly DailyReportLine[],
): Promise<ReadonlyMap<string, Liability> | null> {
  const isOfBrands = groupBy.includes('brand') || where.some(namesBrand);
  if (isOfBrands || lines.length === 0) return null;
  const days = groupBy.includes('day') ? lines.map(({ group: { day = to } }) => day) : [to];
  return liabilities(store, [...new Set(days)], groupBy, where);
}

async function instancesOf(
  store: BooksStore,
  lines: readonly DailyReportLine[],
): Promise<ReadonlyMap<string, RowOf<'instances'>>> {
  const ids = [...new Set(lines.map(({ group: { instance = '' } }) => instance))];
  if (ids.length === 0) return new Map();
  const where: readonly Condition[] = [{ column: 'instance', is: 'in', value: ids }];
  const rows = await selectRows(store, 'instances', { where, limit: ids.length });
  return new Map(rows.map((row) => [row.instance, row]));
}

function lineView(
  { group, sums, players }: DailyReportLine,
  { liability, configured }: { readonly liability: Liability | null; readonly configured: string | null },
): DailyReportView {
  const { day, operator, brand, instance, pot, currency = '' } = group;
  const sum = (name: string): bigint => sums[name] ?? 0n;
  return {
    ...(day === undefined ? {} : { day }),
    ...(operator === undefined ? {} : { operator_id: operator }),
    ...(brand === undefined ? {} : { brand_id: brand }),
    ...(instance === undefined ? {} : { instance_id: instance }),
    ...(pot === undefined ? {} : { pot_id: pot }),
    currency,
    contributions: Number(sum('contributions')),
    players,
    wins: Number(sum('wins')),
    ...(Object.fromEntries(reportSums.map((name) => [name, sum(name)])) as Pick<
      DailyReportView,
      (typeof reportSums)[number]
    >),
    operator_cost: sum('operator_part') + sum('seed_fronted') - sum('repaid'),
    actual_return: sum('contributed') === 0n ? null : shareText(sum('won'), sum('contributed')),
    configured_return: configured,
    liability: liability === null ? null : liability.atoms,
    pot_values: liability === null ? null : liability.potAtoms,
  };
}
