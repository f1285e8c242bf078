import type { Column, ColumnKind } from '../base/columns.ts';
import { type BooksTable, type RowOf, type TableShape, tables } from '../base/tables.ts';
import type { AnyRow } from './shared/rows.ts';
import { type Dialect, sqlName } from './shared/schema.ts';

/** Reading of stored values, the same from both databases. */

const atomDecimals = 8;

/** How a column is selected: PostgreSQL's times as milliseconds. */
function selected(dialect: Dialect, kind: ColumnKind, column: string): string {
  if (dialect === 'libsql' || kind !== 'time') return column;
  return `(extract(epoch FROM ${column}) * 1000)::bigint`;
}

/** The list of a SELECT for rows of a table; without names of columns, for whole ones. */
export function selectedColumns(dialect: Dialect, name: BooksTable, names?: readonly string[]): string {
  return columnsOf(name, names)
    .map(([column, { kind }]) => `${selected(dialect, kind, sqlName(column))} AS ${sqlName(column)}`)
    .join(', ');
}

export function readRow<T extends BooksTable>(
  name: T,
  dialect: Dialect,
  row: AnyRow,
  names?: readonly string[],
): RowOf<T> {
  return Object.fromEntries(
    columnsOf(name, names).map(([column, { kind }]) => [column, readValue(dialect, kind, row[column])]),
  ) as RowOf<T>;
}

function columnsOf(name: BooksTable, names?: readonly string[]): readonly (readonly [string, Column])[] {
  const { columns }: TableShape = tables[name];
  return names === undefined
    ? Object.entries(columns)
    : names.map((each) => [each, columns[each] as Column] as const);
}

export function readValue(dialect: Dialect, kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'integer':
    case 'time':
      return Number(value);
    case 'amount':
    case 'sum':
      return dialect === 'postgres' ? atomsOf(String(value)) : BigInt(value as string | bigint);
    case 'boolean':
      return dialect === 'postgres' ? value === 't' : value === 1n;
    case 'json':
      return JSON.parse(String(value));
    default:
      return value;
  }
}

/** The atoms of a decimal number of units, whose scale is at most eight. */
export function atomsOf(decimal: string): bigint {
  const [units = '', decimals = ''] = decimal.split('.');
  return BigInt(`${units}${decimals.padEnd(atomDecimals, '0')}`);
}
