import { readValue } from '../reading.ts';
import type { BooksStore } from '../store.ts';
import type { ReportGroup } from './daily-report.ts';
import { type Condition, Parameters } from './select.ts';

/** What the pots of some instances hold at the end of a day, and what they owe. */
export interface Liability {
  /** Current values of the pots. */
  readonly potAtoms: bigint;
  /** With their seeds, surplus, overflow and carry, and wins that are not paid yet. */
  readonly atoms: bigint;
}

/**
 * At the end of each day, by the groups of a report and the currency, in one key each (`liabilityKey`).
 * `where`: columns of `instances`. Balances are looked up account by account: one step of an index each.
 */
export async function liabilities(
  store: BooksStore,
  days: readonly string[],
  groupBy: readonly ReportGroup[],
  where: readonly Condition[],
): Promise<ReadonlyMap<string, Liability>> {
  const sums = new Map<string, { potAtoms: bigint; atoms: bigint }>();
  for (const { key, isCurrent, atoms } of await closings(store, days, groupBy, where)) {
    const sum = sums.get(key) ?? { potAtoms: 0n, atoms: 0n };
    sum.atoms += atoms;
    if (isCurrent) sum.potAtoms += atoms;
    sums.set(key, sum);
  }
  return sums;
}

/** `group`: the values of a line; of these the groups that instances have. */
export function liabilityKey(
  groupBy: readonly ReportGroup[],
  day: string,
  group: Readonly<Record<string, string>>,
): string {
  const of = (['operator', 'instance', 'pot'] as const).filter((each) => groupBy.includes(each));
  return JSON.stringify([day, ...of.map((each) => group[each]), group.currency]);
}

interface Closing {
  readonly key: string;
  readonly isCurrent: boolean;
  readonly atoms: bigint;
}

/** libsql cannot add up what its column holds: there each account is a row. */
async function closings(
  store: BooksStore,
  days: readonly string[],
  groupBy: readonly ReportGroup[],
  where: readonly Condition[],
): Promise<readonly Closing[]> {
  const { dialect, prefix } = store;
  const isPostgres = dialect === 'postgres';
  const parameters = new Parameters(store, 'instances');
  const conditions = where.map((condition) => parameters.condition(condition));
  const pots = isPostgres
    ? `LATERAL jsonb_array_elements_text("of"."pots") AS "pot" ("value")`
    : `json_each("of"."pots") AS "pot"`;
  const dates = days.map((day) =>
    isPostgres ? `SELECT DATE '${day}' AS "day"` : `SELECT '${day}' AS "day"`,
  );
  const closing = (
    account: string,
  ) => `(SELECT "balance"."closing" FROM ${prefix}"daily_balances" AS "balance"
    WHERE "balance"."instance" = "of"."instance" AND "balance"."account" = ${account} AND "balance"."day" <= "dates"."day"
    ORDER BY "balance"."day" DESC LIMIT 1)`;
  const instances = `SELECT "instance", "operator", "currency", "pots" FROM ${prefix}"instances"${parameters.where(conditions)}`;
  const common = `"dates"."day" AS "day", "of"."operator" AS "operator", "of"."instance" AS "instance", "of"."currency" AS "currency"`;
  const from = `FROM (${dates.join(' UNION ALL ')}) AS "dates" CROSS JOIN (${instances}) AS "of"`;
  const kinds = ['current', 'seed', 'surplus', 'overflow', 'carry'].map(
    (each) => `SELECT '${each}' AS "name"`,
  );
  const parts = [
    `SELECT ${common}, "pot"."value" AS "pot", CASE WHEN "kind"."name" = 'current' THEN 1 ELSE 0 END AS "is_current",
      ${closing(`"pot"."value" || '.' || "kind"."name"`)} AS "closing"
     ${from} CROSS JOIN ${pots} CROSS JOIN (${kinds.join(' UNION ALL ')}) AS "kind"`,
    // They are no pot's.
    ...(groupBy.includes('pot')
      ? []
      : [
          `SELECT ${common}, '' AS "pot", 0 AS "is_current", ${closing(`'win_liability'`)} AS "closing" ${from}`,
        ]),
  ];
  const of = ['day', ...(['operator', 'instance', 'pot'] as const).filter((each) => groupBy.includes(each))];
  const groups = [...of, 'currency', 'is_current'].map((each) => `"${each}"`).join(', ');
  const all = `(${parts.join(' UNION ALL ')}) AS "accounts" WHERE "closing" IS NOT NULL`;
  const text = isPostgres
    ? `SELECT ${groups}, sum("closing") AS "closing" FROM ${all} GROUP BY ${groups}`
    : `SELECT ${groups}, "closing" FROM ${all}`;
  const rows = await store.select(text, parameters.values);
  return rows.map((row) => ({
    key: JSON.stringify([...of, 'currency'].map((each) => String(row[each]))),
    isCurrent: Number(row.is_current) === 1,
    atoms: readValue(dialect, 'sum', row.closing) as bigint,
  }));
}
