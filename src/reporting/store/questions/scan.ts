import type { BooksTable, RowOf } from '../../base/tables.ts';
import type { BooksStore } from '../store.ts';
import { orderOf, placeIn, type Scalar, type Selection, selectRows } from './select.ts';

/** Rows of one statement: what a process has of a table in memory. */
const pageRows = 1_000;

/** All rows of a selection, in its order and in constant memory. */
export async function* scan<T extends BooksTable>(
  store: BooksStore,
  name: T,
  selection: Omit<Selection, 'limit'>,
): AsyncGenerator<RowOf<T>, void, undefined> {
  const columns = orderOf(name, selection.order);
  let after: readonly Scalar[] | null = selection.after ?? null;
  for (;;) {
    const rows = await selectRows(store, name, { ...selection, after, limit: pageRows });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = placeIn(columns, last);
  }
}
