import type { BooksTable } from '../../base/tables.ts';
import { sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { Parameters } from './select.ts';

/** Tables with an index that begins with the instance. */
const ofInstances: readonly BooksTable[] = [
  'instances',
  'daily_balances',
  'daily_totals',
  'contributions',
  'entries',
  'wins',
];

/** Each instance that any of these tables names, in order: one step of an index at a time. */
export async function* instancesInBooks(store: BooksStore): AsyncGenerator<string, void, undefined> {
  let last = '';
  for (;;) {
    const next = (await Promise.all(ofInstances.map((name) => firstBehind(store, name, last))))
      .filter((each) => each !== null)
      .sort();
    if (next[0] === undefined) return;
    last = next[0];
    yield last;
  }
}

async function firstBehind(store: BooksStore, name: BooksTable, instance: string): Promise<string | null> {
  const parameters = new Parameters(store, name);
  const behind = parameters.condition({ column: 'instance', is: '>', value: instance });
  const text = `SELECT "instance" FROM ${store.prefix}${sqlName(name)} WHERE ${behind} ORDER BY "instance" LIMIT 1`;
  const [row] = await store.select(text, parameters.values);
  return row === undefined ? null : String(row.instance);
}
