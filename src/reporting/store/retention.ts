import { startOfDay } from '../base/days.ts';
import { type BooksTable, tables } from '../base/tables.ts';
import { type Condition, Parameters } from './questions/select.ts';
import { factChange, readFact } from './shared/facts.ts';
import { sqlName } from './shared/schema.ts';
import type { BooksStore } from './store.ts';

/** Removal of old rows. Totals and balances of days stay. */

/** Rows of a statement: others have their turn between. */
const sliceRows = 5_000;

/** Rows by their place in the log, whose time never falls. */
const placed = [
  'contributions',
  'wins',
  'entries',
  'payment_changes',
  'opt_in_changes',
  'tickets',
] as const satisfies readonly BooksTable[];

/** The first day whose rows are all there; null: that on which the books begin. */
export async function firstWholeDay(store: BooksStore): Promise<string | null> {
  return ((await readFact(store, 'rows_from')) ?? null) as string | null;
}

/**
 * Removes what happened before a day, and gives how many rows that were. It may end anywhere, and be begun
 * again: that the rows are not all there is noted first. @throws StoreError
 */
export async function removeRowsBefore(store: BooksStore, day: string): Promise<number> {
  const before = await firstWholeDay(store);
  if (before === null || before < day) await noteFirstDay(store, day);
  const cut = startOfDay(day);
  let removed = 0;
  const lanes = await store.select(`SELECT "lane" FROM ${store.prefix}"positions" ORDER BY "lane"`, []);
  for (const { lane } of lanes)
    for (const table of placed) removed += await removePlaced(store, table, Number(lane), cut);
  removed += await removeBy(store, 'payments', [
    { column: 'opened', is: '<', value: cut },
    { column: 'closed', is: '<', value: cut },
  ]);
  removed += await removeBy(store, 'daily_players', [{ column: 'day', is: '<', value: day }]);
  for (const table of ['wallet_tries', 'callback_tries', 'audit'] as const)
    removed += await removeBy(store, table, [{ column: 'time', is: '<', value: cut }]);
  return removed;
}

async function noteFirstDay(store: BooksStore, day: string): Promise<void> {
  const { text, values } = factChange(store, 'rows_from', day);
  await store.select(`${text} RETURNING 1`, values);
}

/** In the order of the log, by the key. */
async function removePlaced(
  store: BooksStore,
  table: BooksTable,
  lane: number,
  cut: number,
): Promise<number> {
  for (let removed = 0; ; ) {
    const next = new Parameters(store, table);
    const ofLane = next.condition({ column: 'lane', is: '=', value: lane });
    const text = `SELECT "sequence" FROM ${store.prefix}${sqlName(table)} WHERE ${ofLane} ORDER BY "sequence" LIMIT 1 OFFSET ${sliceRows}`;
    const [row] = await store.select(text, next.values);
    const slice: Condition[] = [
      { column: 'lane', is: '=', value: lane },
      { column: 'time', is: '<', value: cut },
      ...(row === undefined ? [] : [{ column: 'sequence', is: '<=', value: Number(row.sequence) } as const]),
    ];
    const count = await remove(store, table, (parameters) =>
      slice.map((condition) => parameters.condition(condition)).join(' AND '),
    );
    removed += count;
    // Fewer: the others are of later days.
    if (row === undefined || count < sliceRows) return removed;
  }
}

async function removeBy(
  store: BooksStore,
  table: BooksTable,
  conditions: readonly Condition[],
): Promise<number> {
  const key = tables[table].key.map(sqlName).join(', ');
  for (let removed = 0; ; ) {
    const count = await remove(store, table, (parameters) => {
      const where = parameters.where(conditions.map((condition) => parameters.condition(condition)));
      return `(${key}) IN (SELECT ${key} FROM ${store.prefix}${sqlName(table)}${where} LIMIT ${sliceRows})`;
    });
    removed += count;
    if (count < sliceRows) return removed;
  }
}

async function remove(
  store: BooksStore,
  table: BooksTable,
  where: (parameters: Parameters) => string,
): Promise<number> {
  const parameters = new Parameters(store, table);
  const text = `DELETE FROM ${store.prefix}${sqlName(table)} WHERE ${where(parameters)} RETURNING 1`;
  return (await store.select(text, parameters.values)).length;
}
