import { exportedTables } from '../../contracts/reports/exports.ts';
import type { BooksQuestion } from '../../contracts/reports/questions.ts';
import { writeJson } from '../../lib/json.ts';
import { type TableShape, tables } from '../base/tables.ts';
import { cursorBehind, rowsPage } from '../store/questions/pages.ts';
import { type AnyRow, kindsOf } from '../store/shared/rows.ts';
import type { BooksStore } from '../store/store.ts';
import { csvCell, csvLine } from './csv.ts';
import type { Found, NotFound } from './found.ts';
import { textsThatFit } from './texts.ts';

/**
 * A part of a table as lines, each with the cursor by which another export begins behind it. A CSV begins
 * with a line of names, where it begins at all.
 */
export async function exported(
  store: BooksStore,
  { table, format, where, cursor, limit }: Extract<BooksQuestion, { readonly kind: 'export' }>,
): Promise<Found | NotFound> {
  const order = [exportedTables[table].order].filter((each) => each !== null);
  const page = await rowsPage(store, table, { where, order, direction: 1, cursor, limit });
  if (page === null) return 'bad_cursor';
  const shape: TableShape = tables[table];
  const columns = kindsOf(shape);
  const lineOf = (row: AnyRow): string => {
    const behind = cursorBehind(table, order, row);
    return format === 'ndjson'
      ? `${writeJson({ ...row, cursor: behind })}\n`
      : csvLine([...columns.map(([name, kind]) => csvCell(kind, row[name])), behind]);
  };
  const texts = textsThatFit<AnyRow>(page.rows, lineOf);
  const last = page.rows[texts.length - 1];
  const isWhole = texts.length === page.rows.length || last === undefined;
  const header =
    format === 'csv' && cursor === null
      ? `\uFEFF${csvLine([...columns.map(([name]) => name), 'cursor'])}`
      : '';
  return {
    body: `${header}${texts.join('')}`,
    cursor: isWhole ? page.cursor : cursorBehind(table, order, last),
  };
}
