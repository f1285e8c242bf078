import { type BooksTable, tables } from '../../../src/reporting/base/tables.ts';
import { scan } from '../../../src/reporting/store/questions/scan.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';

/** Every row of the tables that follow from the log, in the order of their keys. */
export async function dumpOf(store: BooksStore): Promise<Readonly<Record<string, readonly string[]>>> {
  const dump: Record<string, string[]> = {};
  for (const name of Object.keys(tables) as BooksTable[]) {
    if (name === 'facts') continue;
    const rows: string[] = [];
    for await (const row of scan(store, name, { where: [] }))
      rows.push(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value} atoms` : value)));
    dump[name] = rows;
  }
  return dump;
}
