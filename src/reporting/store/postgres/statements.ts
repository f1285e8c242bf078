import type { ColumnKind } from '../../base/columns.ts';
import { type BooksTable, type TableShape, tables } from '../../base/tables.ts';
import type { Addition, AnyRow } from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import { arrayText, sentTypes, storedValue } from './arrays.ts';

/** A statement that is prepared once on each connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Inserts rows; of a table of state, the new row replaces the one before. */
export function insertStatement(prefix: string, name: BooksTable): Statement {
  const table: TableShape = tables[name];
  const columns = Object.keys(table.columns);
  const conflict =
    table.way === 'state'
      ? onConflict(table, (column) => `${sqlName(column)} = excluded.${sqlName(column)}`)
      : '';
  return { name: `insert ${prefix}${name}`, text: `${insertion(prefix, name, columns)}${conflict}` };
}

/** Adds to the rows of a table that the writer keeps. */
export function additionStatement(prefix: string, name: BooksTable): Statement {
  const table: TableShape = tables[name];
  const columns = Object.keys(table.columns);
  const conflict = onConflict(table, (column) =>
    isAdded(table, column)
      ? `${sqlName(column)} = kept.${sqlName(column)} + excluded.${sqlName(column)}`
      : `${sqlName(column)} = excluded.${sqlName(column)}`,
  );
  return { name: `add ${prefix}${name}`, text: `${insertion(prefix, name, columns)}${conflict}` };
}

/** Movements of one day: a day opens with what the last one before it closed with. */
export function movementStatement(prefix: string): Statement {
  const balances = `${prefix}"daily_balances"`;
  const text = `
    INSERT INTO ${balances} AS kept ("day", "instance", "account", "opening", "movement", "closing")
    SELECT $1::date, "moved"."instance", "moved"."account", COALESCE("before"."closing", 0),
      "moved"."atoms" * 0.00000001, COALESCE("before"."closing", 0) + "moved"."atoms" * 0.00000001
    FROM unnest($2::text[], $3::text[], $4::numeric[]) AS "moved" ("instance", "account", "atoms")
    LEFT JOIN LATERAL (
      SELECT "closing" FROM ${balances} AS "past"
      WHERE "past"."instance" = "moved"."instance" AND "past"."account" = "moved"."account" AND "past"."day" < $1::date
      ORDER BY "past"."day" DESC LIMIT 1
    ) AS "before" ON true
    ON CONFLICT ("instance", "account", "day") DO UPDATE SET
      "movement" = kept."movement" + excluded."movement", "closing" = kept."closing" + excluded."movement"`;
  return { name: `move ${prefix}`, text };
}

/** The values of a statement that inserts these rows. */
export function valuesOf(name: BooksTable, rows: readonly AnyRow[]): readonly string[] {
  return Object.entries((tables[name] as TableShape).columns).map(([column, { kind }]) =>
    arrayText(
      kind,
      rows.map((row) => row[column]),
    ),
  );
}

export function additionRow({ key, added }: Addition): AnyRow {
  return { ...key, ...added };
}

/** A count or a sum beside the key and what else names a row. */
function isAdded(table: TableShape, column: string): boolean {
  const kind: ColumnKind | undefined = table.columns[column]?.kind;
  return kind === 'sum' || kind === 'integer';
}

function insertion(prefix: string, name: BooksTable, columns: readonly string[]): string {
  const table: TableShape = tables[name];
  const kinds = columns.map((column) => (table.columns[column] as { kind: ColumnKind }).kind);
  const names = columns.map(sqlName).join(', ');
  const sent = kinds.map((kind, index) => `$${index + 1}::${sentTypes[kind]}`).join(', ');
  const values = columns.map((column, index) =>
    storedValue(kinds[index] as ColumnKind, `given.${sqlName(column)}`),
  );
  return `INSERT INTO ${prefix}${sqlName(name)} AS kept (${names}) SELECT ${values.join(', ')} FROM unnest(${sent}) AS given (${names})`;
}

function onConflict(table: TableShape, change: (column: string) => string): string {
  const columns = Object.keys(table.columns).filter((column) => !table.key.includes(column));
  return ` ON CONFLICT (${table.key.map(sqlName).join(', ')}) DO UPDATE SET ${columns.map(change).join(', ')}`;
}
