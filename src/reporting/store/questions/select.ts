import type { ColumnKind } from '../../base/columns.ts';
import { type BooksTable, type RowOf, type TableShape, tables } from '../../base/tables.ts';
import { boundValue } from '../libsql/values.ts';
import { readRow, selectedColumns } from '../reading.ts';
import { sqlName } from '../shared/schema.ts';
import { storableText } from '../shared/texts.ts';
import type { BooksStore } from '../store.ts';

/** A value of a row, or of a condition, as JavaScript has it. */
export type Scalar = string | number | bigint | boolean;

type Compared =
  | { readonly column: string; readonly is: '=' | '>=' | '<' | '<=' | '>'; readonly value: Scalar }
  | { readonly column: string; readonly is: 'in'; readonly value: readonly Scalar[] };
/** What a row must meet; `in` and `any`, of which one is enough, have at least one. */
export type Condition = Compared | { readonly any: readonly Compared[] };

/** Whether it is about a brand's rows alone. */
export function namesBrand(condition: Condition): boolean {
  return 'any' in condition ? condition.any.some(namesBrand) : condition.column === 'brand';
}

/** Rows in an order that has no ties, from behind a place in it. */
export interface Selection {
  readonly where: readonly Condition[];
  /** The columns of the order; those of the key follow by themselves. */
  readonly order?: readonly string[];
  readonly direction?: 1 | -1;
  /** The values of the order's columns in the last row before these; null: from the start. */
  readonly after?: readonly Scalar[] | null;
  readonly limit: number;
}

/** Values of a statement, and their places in it as the dialect and the columns want them. */
export class Parameters {
  readonly values: unknown[] = [];
  readonly #store: Pick<BooksStore, 'dialect'>;
  readonly #columns: TableShape['columns'];

  constructor(store: Pick<BooksStore, 'dialect'>, name: BooksTable) {
    this.#store = store;
    this.#columns = tables[name].columns;
  }

  /** Takes the value of a column, and gives its place. */
  bind(column: string, value: Scalar): string {
    const kind = this.#kindOf(column);
    if (this.#store.dialect === 'libsql') {
      this.values.push(boundValue(kind, value));
      return `?${this.values.length}`;
    }
    this.values.push(typeof value === 'string' ? storableText(value) : String(value));
    return placeOf(kind, `$${this.values.length}`);
  }

  condition(condition: Condition): string {
    if ('any' in condition) return `(${condition.any.map((each) => this.condition(each)).join(' OR ')})`;
    const { column, is, value } = condition;
    if (is !== 'in') return `${sqlName(column)} ${is} ${this.bind(column, value)}`;
    return `${sqlName(column)} IN (${value.map((each) => this.bind(column, each)).join(', ')})`;
  }

  where(conditions: readonly string[]): string {
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  }

  #kindOf(column: string): ColumnKind {
    const found = this.#columns[column];
    if (found === undefined) throw new TypeError(`There is no column ${column}.`);
    return found.kind;
  }
}

/** The columns of an order without ties. */
export function orderOf(name: BooksTable, order: readonly string[] = []): readonly string[] {
  return [...order, ...tables[name].key.filter((column) => !order.includes(column))];
}

export function selectRows<T extends BooksTable>(
  store: BooksStore,
  name: T,
  selection: Selection,
): Promise<readonly RowOf<T>[]> {
  return select(store, name, selection);
}

/** The same, with nothing but these columns. */
export function selectColumns<T extends BooksTable, C extends keyof RowOf<T> & string>(
  store: BooksStore,
  name: T,
  columns: readonly C[],
  selection: Selection,
): Promise<readonly Pick<RowOf<T>, C>[]> {
  return select(store, name, selection, columns);
}

async function select<T extends BooksTable>(
  store: BooksStore,
  name: T,
  { where, order, direction = 1, after = null, limit }: Selection,
  names?: readonly string[],
): Promise<readonly RowOf<T>[]> {
  const parameters = new Parameters(store, name);
  const conditions = where.map((condition) => parameters.condition(condition));
  const columns = orderOf(name, order);
  if (after !== null) {
    const compared = direction === 1 ? '>' : '<';
    const places = columns.map((column, index) => parameters.bind(column, after[index] as Scalar));
    // The first column alone, too: an index need not have the others.
    conditions.push(
      `${sqlName(columns[0] as string)} ${compared}= ${parameters.bind(columns[0] as string, after[0] as Scalar)}`,
    );
    conditions.push(`(${columns.map(sqlName).join(', ')}) ${compared} (${places.join(', ')})`);
  }
  const way = direction === 1 ? '' : ' DESC';
  // Unqualified, the order would be that of a selected expression, which no index has.
  const ordered = columns.map((column) => `"of"."${column}"${way}`).join(', ');
  const text = `SELECT ${selectedColumns(store.dialect, name, names)} FROM ${store.prefix}${sqlName(name)} AS "of"${parameters.where(conditions)}
    ORDER BY ${ordered} LIMIT ${limit}`;
  const rows = await store.select(text, parameters.values);
  return rows.map((row) => readRow(name, store.dialect, row, names));
}

/** The place of a row in an order. */
export function placeIn(
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
): readonly Scalar[] {
  return columns.map((column) => row[column] as Scalar);
}

function placeOf(kind: ColumnKind, parameter: string): string {
  switch (kind) {
    case 'time':
      return `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 millisecond')`;
    case 'amount':
    case 'sum':
      return `(${parameter}::numeric * 0.00000001)`;
    case 'integer':
      return `${parameter}::bigint`;
    case 'day':
      return `${parameter}::date`;
    case 'boolean':
      return `${parameter}::boolean`;
    default:
      return `${parameter}::text`;
  }
}
