import { maxCounted } from '../../../contracts/reports/questions.ts';
import { isDay } from '../../base/days.ts';
import { type BooksTable, type RowOf, tables } from '../../base/tables.ts';
import type { AnyRow } from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, orderOf, Parameters, placeIn, type Scalar, selectRows } from './select.ts';

/** What a page of a list, or a part of an export, asks for. */
interface PageQuery {
  readonly where: readonly Condition[];
  /**
   * `time`, `opened`, or another column that an index follows the conditions with; empty: the key's order.
   */
  readonly order: readonly string[];
  readonly direction: 1 | -1;
  /** The one of the page before; null: the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

interface RowsPage<T extends BooksTable> {
  readonly rows: readonly RowOf<T>[];
  /** null: there are no more. */
  readonly cursor: string | null;
}

/** A page of a table; null: the cursor is none of this order. */
export async function rowsPage<T extends BooksTable>(
  store: BooksStore,
  name: T,
  { where, order, direction, cursor, limit }: PageQuery,
): Promise<RowsPage<T> | null> {
  const columns = orderOf(name, order);
  const after = cursor === null ? null : readCursor(name, columns, cursor);
  if (after === null && cursor !== null) return null;
  // One more tells whether there is another page.
  const rows = await selectRows(store, name, { where, order, direction, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: shown, cursor: hasMore ? cursorBehind(name, order, last) : null };
}

/** The cursor by which a page begins behind a row. */
export function cursorBehind(name: BooksTable, order: readonly string[], row: AnyRow): string {
  return writeCursor(placeIn(orderOf(name, order), row));
}

/** How many rows meet the conditions; above `maxCounted`: more. */
export async function countRows(
  store: BooksStore,
  name: BooksTable,
  where: readonly Condition[],
): Promise<number> {
  const parameters = new Parameters(store, name);
  const conditions = where.map((condition) => parameters.condition(condition));
  const some = `SELECT 1 AS "one" FROM ${store.prefix}${sqlName(name)}${parameters.where(conditions)} LIMIT ${maxCounted + 1}`;
  const [row] = await store.select(`SELECT count(*) AS "count" FROM (${some}) AS "some"`, parameters.values);
  return Number(row?.count);
}

export function writeCursor(place: readonly Scalar[]): string {
  return Buffer.from(JSON.stringify(place), 'utf8').toString('base64url');
}

const maxCursorLength = 4_096;

/** The values of these columns where a page goes on; null: the cursor is none of this order. */
export function readCursor(
  name: BooksTable,
  columns: readonly string[],
  cursor: string,
): readonly Scalar[] | null {
  if (cursor.length > maxCursorLength) return null;
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const kinds = columns.map((column) => (tables[name].columns as TableColumns)[column]?.kind);
  const isPlace =
    Array.isArray(place) &&
    place.length === columns.length &&
    place.every((value, index) => isOf(kinds[index], value));
  return isPlace ? (place as Scalar[]) : null;
}

type TableColumns = Readonly<Record<string, { readonly kind: string }>>;

function isOf(kind: string | undefined, value: unknown): boolean {
  if (kind === 'integer') return Number.isSafeInteger(value);
  // What the log has: PostgreSQL has no times of everything before.
  if (kind === 'time') return Number.isSafeInteger(value) && (value as number) >= 0;
  if (kind === 'day') return typeof value === 'string' && isDay(value);
  return kind !== undefined && typeof value === 'string';
}
