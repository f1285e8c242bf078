import { dayAt, startOfDay } from '../../base/days.ts';
import { readValue } from '../reading.ts';
import type { BooksStore } from '../store.ts';
import { scan } from './scan.ts';
import { type Condition, Parameters } from './select.ts';

/** The accounts of an instance at the end of a day; an account that has never moved is missing. */
export async function balancesAt(
  store: BooksStore,
  instance: string,
  day: string,
): Promise<ReadonlyMap<string, bigint>> {
  const parameters = new Parameters(store, 'daily_balances');
  const of = parameters.bind('instance', instance);
  const until = parameters.bind('day', day);
  const balances = `${store.prefix}"daily_balances"`;
  const text = `SELECT "account", "closing" FROM (
      SELECT "account", "closing", row_number() OVER (PARTITION BY "account" ORDER BY "day" DESC) AS "back"
      FROM ${balances} WHERE "instance" = ${of} AND "day" <= ${until}
    ) AS "days" WHERE "back" = 1 ORDER BY "account"`;
  const rows = await store.select(text, parameters.values);
  return new Map(
    rows.map(({ account, closing }) => [String(account), readValue(store.dialect, 'sum', closing) as bigint]),
  );
}

/**
 * The balances of an instance at the end of a day (null: the newest), and the position of its lane up to
 * which messages count in them.
 */
export async function balancesAtPosition(
  store: BooksStore,
  lane: number,
  instance: string,
  day: string | null = null,
): Promise<{ sequence: number; head: string; balances: ReadonlyMap<string, bigint> }> {
  const parameters = new Parameters(store, 'instances');
  const of = parameters.bind('instance', instance);
  const at = parameters.bind('lane', lane);
  const until = day === null ? '' : ` AND "day" <= '${day}'`;
  // One statement: the writer may commit between two.
  const text = `SELECT "at"."sequence", "at"."head", "days"."account", "days"."closing"
    FROM ${store.prefix}"positions" AS "at" LEFT JOIN (
      SELECT "account", "closing", row_number() OVER (PARTITION BY "account" ORDER BY "day" DESC) AS "back"
      FROM ${store.prefix}"daily_balances" WHERE "instance" = ${of}${until}
    ) AS "days" ON "days"."back" = 1 WHERE "at"."lane" = ${at} ORDER BY "days"."account"`;
  const rows = await store.select(text, parameters.values);
  return {
    sequence: Number(rows[0]?.sequence ?? -1),
    head: String(rows[0]?.head ?? ''),
    balances: new Map(
      rows
        .filter(({ account }) => account !== null)
        .map(({ account, closing }) => [String(account), readValue(store.dialect, 'sum', closing) as bigint]),
    ),
  };
}

/** The accounts of an instance before a day, or where its books begin; null: where they begin. */
export async function balancesBefore(
  store: BooksStore,
  instance: string,
  day: string | null,
): Promise<ReadonlyMap<string, bigint>> {
  const where: Condition[] = [{ column: 'instance', is: '=', value: instance }];
  if (day !== null) where.push({ column: 'day', is: '>=', value: day });
  const before = day === null ? [] : await balancesAt(store, instance, dayAt(startOfDay(day) - 1));
  const balances = new Map(before);
  for await (const { account, balance } of scan(store, 'openings', { where })) balances.set(account, balance);
  return balances;
}
