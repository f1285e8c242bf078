import type { AnyRow } from '../shared/rows.ts';
import { measureNames } from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, Parameters } from './select.ts';
import { countGroups, type GroupSums, groupConditions, sumsBy } from './sums.ts';

/** What a report can be grouped by, beside the currency, whose amounts are never added to another's. */
export type ReportGroup = 'day' | 'operator' | 'brand' | 'instance' | 'pot';

interface DailyReportQuery {
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: readonly ReportGroup[];
  /** Operators, brands, instances: columns of `daily_totals`. */
  readonly where: readonly Condition[];
  /** The group of the last line before these, and its currency; null: from the first one. */
  readonly after: readonly string[] | null;
  readonly limit: number;
  /** Counting them reads a row of each player, day and instance. */
  readonly countsPlayers: boolean;
}

/** A line of the report: its totals, and how many players took part. */
export interface DailyReportLine extends GroupSums {
  /** null: not asked for, or by pot, which no player chooses. */
  readonly players: number | null;
}

/** Totals of days by group and currency, in the order of these. */
export async function dailyReport(
  store: BooksStore,
  { from, to, groupBy, where, after, limit, countsPlayers }: DailyReportQuery,
): Promise<readonly DailyReportLine[]> {
  const days = conditionsOf({ from, to, where });
  const group = columnsOf(groupBy);
  const page = { after, limit };
  const lines = await sumsBy(store, 'daily_totals', group, measureNames, [...days, ofPots(groupBy)], page);
  const last = lines.at(-1);
  if (groupBy.includes('pot') || !countsPlayers || last === undefined)
    return lines.map((line) => ({ ...line, players: null }));
  const players = await distinctPlayers(store, group, days, page);
  return lines.map((line) => ({
    ...line,
    players: players.get(JSON.stringify(Object.values(line.group))) ?? 0,
  }));
}

/** How many lines it has; above `maxCounted`: more. */
export function countDailyLines(
  store: BooksStore,
  { groupBy, ...days }: Pick<DailyReportQuery, 'from' | 'to' | 'groupBy' | 'where'>,
): Promise<number> {
  const where = [...conditionsOf(days), ofPots(groupBy)];
  return countGroups(store, 'daily_totals', columnsOf(groupBy), where);
}

function conditionsOf({ from, to, where }: Pick<DailyReportQuery, 'from' | 'to' | 'where'>): Condition[] {
  return [{ column: 'day', is: '>=', value: from }, { column: 'day', is: '<=', value: to }, ...where];
}

/** A row with a pot is a part of its instance's row: only one of them counts. */
function ofPots(groupBy: readonly ReportGroup[]): Condition {
  return { column: 'pot', is: groupBy.includes('pot') ? '>' : '=', value: '' };
}

/** The columns by which lines are made and ordered. */
export function columnsOf(groupBy: readonly ReportGroup[]): readonly string[] {
  return [...groupBy, 'currency'];
}

/** Players of each group, each once, whatever the number of its days and instances. */
async function distinctPlayers(
  store: BooksStore,
  group: readonly string[],
  where: readonly Condition[],
  { after, limit }: { readonly after: readonly string[] | null; readonly limit: number },
): Promise<ReadonlyMap<string, number>> {
  const parameters = new Parameters(store, 'daily_players');
  const conditions = [...groupConditions(parameters, group, where, after), `${sqlName('contributions')} > 0`];
  const groups = group.map(sqlName).join(', ');
  const players = `SELECT DISTINCT ${groups}, "brand" AS "of_brand", "player" FROM ${store.prefix}"daily_players"`;
  const text = `SELECT ${groups}, count(*) AS "players" FROM (${players}${parameters.where(conditions)}) AS "seen"
    GROUP BY ${groups} ORDER BY ${groups} LIMIT ${limit}`;
  const rows = await store.select(text, parameters.values);
  return new Map(rows.map((row) => [keyOf(row, group), Number(row.players)]));
}

function keyOf(row: AnyRow, group: readonly string[]): string {
  return JSON.stringify(group.map((each) => String(row[each])));
}
