import type { Column, ColumnKind } from '../../base/columns.ts';
import { type TableShape, tables } from '../../base/tables.ts';

/** DDL of both dialects, from the list of tables. */

export type Dialect = 'postgres' | 'libsql';

/** Amounts are units in PostgreSQL, for who reads it with a program of their own, and atoms in libsql. */
const types: Readonly<Record<Dialect, Readonly<Record<ColumnKind, string>>>> = {
  postgres: {
    integer: 'bigint',
    amount: 'numeric(38, 8)',
    // What wallets pay goes to 10^52 atoms.
    sum: 'numeric(62, 8)',
    // Ordered by bytes, as in libsql, whatever the database's collation is.
    text: 'text COLLATE "C"',
    time: 'timestamptz',
    day: 'date',
    boolean: 'boolean',
    json: 'jsonb',
    hex: 'text COLLATE "C"',
  },
  libsql: {
    integer: 'INTEGER',
    amount: 'INTEGER',
    // SQLite has no integers of that size: atoms as text, added up in this process.
    sum: 'TEXT',
    text: 'TEXT',
    time: 'INTEGER',
    day: 'TEXT',
    boolean: 'INTEGER',
    json: 'TEXT',
    hex: 'TEXT',
  },
};

/** The statements that make all tables and indexes. `prefix` names the place: `"reporting".`, or nothing. */
export function createStatements(dialect: Dialect, prefix: string): readonly string[] {
  const all: Readonly<Record<string, TableShape>> = tables;
  return Object.entries(all).flatMap(([name, table]) => [
    createTable(dialect, prefix, name, table),
    ...table.indexes.map((columns) => createIndex(prefix, name, columns)),
  ]);
}

function createTable(dialect: Dialect, prefix: string, name: string, table: TableShape): string {
  const columns = Object.entries(table.columns).map(([column, given]) => definition(dialect, column, given));
  const key = `PRIMARY KEY (${table.key.map(sqlName).join(', ')})`;
  // Totals and balances of a day change often: room beside them spares their indexes.
  const fill = table.way === 'rows' ? '' : ' WITH (fillfactor = 80)';
  const way = dialect === 'libsql' ? ' STRICT, WITHOUT ROWID' : fill;
  return `CREATE TABLE ${prefix}${sqlName(name)} (${[...columns, key].join(', ')})${way}`;
}

function createIndex(prefix: string, table: string, columns: readonly string[]): string {
  const [first = ''] = columns;
  // An id that most rows do not have.
  const isSparse = columns.length === 1 && isOptional(table, first);
  const where = isSparse ? ` WHERE ${sqlName(first)} IS NOT NULL` : '';
  const index = sqlName(`${table}_by_${columns.join('_')}`);
  // In libsql an index lies beside its table by itself, and its name takes the place.
  return `CREATE INDEX ${index} ON ${prefix}${sqlName(table)} (${columns.map(sqlName).join(', ')})${where}`;
}

function isOptional(table: string, column: string): boolean {
  const shape: TableShape = tables[table as keyof typeof tables];
  return shape.columns[column]?.isNullable === true;
}

function definition(dialect: Dialect, name: string, { kind, isNullable }: Column): string {
  return `${sqlName(name)} ${types[dialect][kind]}${isNullable ? '' : ' NOT NULL'}`;
}

export function sqlName(name: string): string {
  return `"${name}"`;
}
