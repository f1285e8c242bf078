import type { AnyRow } from '../shared/rows.ts';
import { measureNames } from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, Parameters } from './select.ts';
import { type GroupSums, maxGroups, sumsBy } from './sums.ts';

/** What a report can be grouped by, beside the currency, whose amounts are never added to another's. */
type ReportGroup = 'day' | 'operator' | 'brand' | 'instance' | 'pot';

interface DailyReportQuery {
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: readonly ReportGroup[];
  /** Operators, brands, instances: columns of `daily_totals`. */
  readonly where: readonly Condition[];
}

/** A line of the report: its totals, and how many players took part. */
interface DailyReportLine extends GroupSums {
  /** null: by pot, which no player chooses. */
  readonly players: number | null;
}

/**
 * Totals of days by group and currency: at most `maxGroups` lines and one, which says that there are more.
 */
export async function dailyReport(
  store: BooksStore,
  { from, to, groupBy, where }: DailyReportQuery,
): Promise<readonly DailyReportLine[]> {
  const byPot = groupBy.includes('pot');
  const days: readonly Condition[] = [
    { column: 'day', is: '>=', value: from },
    { column: 'day', is: '<=', value: to },
    ...where,
  ];
  const group = [...groupBy, 'currency'];
  // A row with a pot is a part of its instance's row: only one of them counts.
  const ofPots: Condition = byPot
    ? { column: 'pot', is: '>', value: '' }
    : { column: 'pot', is: '=', value: '' };
  const lines = await sumsBy(store, 'daily_totals', group, measureNames, [...days, ofPots]);
  if (byPot) return lines.map((line) => ({ ...line, players: null }));
  const players = await distinctPlayers(store, group, days);
  return lines.map((line) => ({
    ...line,
    players: players.get(JSON.stringify(Object.values(line.group))) ?? 0,
  }));
}

/** Players of each group, each once, whatever the number of its days and instances. */
async function distinctPlayers(
  store: BooksStore,
  group: readonly string[],
  where: readonly Condition[],
): Promise<ReadonlyMap<string, number>> {
  const parameters = new Parameters(store, 'daily_players');
  const conditions = [
    ...where.map((condition) => parameters.condition(condition)),
    `${sqlName('contributions')} > 0`,
  ];
  const groups = group.map(sqlName).join(', ');
  const players = `SELECT DISTINCT ${groups}, "brand" AS "of_brand", "player" FROM ${store.prefix}"daily_players"`;
  const text = `SELECT ${groups}, count(*) AS "players" FROM (${players}${parameters.where(conditions)}) AS "seen"
    GROUP BY ${groups} ORDER BY ${groups} LIMIT ${maxGroups + 1}`;
  const rows = await store.select(text, parameters.values);
  return new Map(rows.map((row) => [keyOf(row, group), Number(row.players)]));
}

function keyOf(row: AnyRow, group: readonly string[]): string {
  return JSON.stringify(group.map((each) => String(row[each])));
}
