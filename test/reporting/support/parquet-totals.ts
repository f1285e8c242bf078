import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { scan } from '../../../src/reporting/store/questions/scan.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';

/** What DuckDB answers. */
export async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(text)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

const measures = [
  ...(['contributions', 'wagered', 'contributed', 'player_part', 'operator_part'] as const),
  ...(['wins', 'won', 'community', 'raffle'] as const),
] as const;
const counts: readonly string[] = ['contributions', 'wins'];

/**
 * The totals of days, or of all days together, as DuckDB sums them up, beside those of the database: decimals, to the atom. Gives how many
 * were compared.
 */
export async function requireEqualTotals(
  store: BooksStore,
  directory: string,
  by: 'day' | 'all' = 'day',
): Promise<number> {
  const key = 'operator, brand, instance';
  const of = (table: string) => `read_parquet('${directory}/*/*/${table}-*.parquet')`;
  const day = by === 'all' ? "'' AS day" : "strftime(time AT TIME ZONE 'UTC', '%Y-%m-%d') AS day";
  const contributed = await query(
    `SELECT ${day}, ${key}, count(*)::VARCHAR AS contributions, sum(instance_wager_amount)::VARCHAR AS wagered,
      sum(contribution_amount)::VARCHAR AS contributed, sum(player_part)::VARCHAR AS player_part,
      sum(operator_part)::VARCHAR AS operator_part FROM ${of('contributions')} GROUP BY ALL`,
  );
  const won = await query(
    `SELECT ${day}, ${key}, count(*)::VARCHAR AS wins, sum(amount)::VARCHAR AS won,
      coalesce(sum(amount) FILTER (kind = 'community'), 0)::VARCHAR AS community,
      coalesce(sum(amount) FILTER (kind = 'raffle'), 0)::VARCHAR AS raffle FROM ${of('wins')} GROUP BY ALL`,
  );
  const sums = new Map<string, Record<string, unknown>>();
  for (const { day, operator, brand, instance, ...found } of [...contributed, ...won]) {
    const name = [day, operator, brand, instance].join(' ');
    sums.set(name, { ...sums.get(name), ...found });
  }
  const totals = new Map<string, Record<string, bigint>>();
  for await (const total of scan(store, 'daily_totals', { where: [] })) {
    if (total.pot !== '') continue;
    const name = [by === 'all' ? '' : total.day, total.operator, total.brand, total.instance].join(' ');
    const before = totals.get(name) ?? {};
    totals.set(
      name,
      Object.fromEntries(measures.map((each) => [each, (before[each] ?? 0n) + BigInt(total[each])])),
    );
  }
  for (const [name, total] of totals) {
    const found = sums.get(name) ?? {};
    for (const measure of measures) {
      const value = String(found[measure] ?? 0);
      const atoms = counts.includes(measure) ? value : atomsOf(value);
      expect([name, measure, BigInt(atoms)]).toEqual([name, measure, total[measure]]);
    }
    sums.delete(name);
  }
  expect([...sums.keys()]).toEqual([]);
  return totals.size;
}

export function atomsOf(decimal: unknown): string {
  const [units = '', decimals = ''] = String(decimal).split('.');
  return String(BigInt(`${units}${decimals.padEnd(8, '0')}`));
}
