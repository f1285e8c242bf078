import { StoreError } from '../../base/errors.ts';
import { schemaVersion } from '../../base/tables.ts';
import type { BooksStore } from '../store.ts';
import type { AnyRow } from './rows.ts';

/** What a database is, in its table `facts`: values as JSON texts. */
interface BooksFacts {
  readonly schema_version: string;
  readonly system_id: string;
  /** Players whose ids no writer may write any more. */
  readonly forgotten: string;
  /** Hex; empty: no player is forgotten. */
  readonly forgotten_salt: string;
  /** A day; null: no rows were removed. */
  readonly rows_from: string;
}

export function factsOf(systemId: string): BooksFacts {
  return {
    schema_version: JSON.stringify(schemaVersion),
    system_id: JSON.stringify(systemId),
    forgotten: '0',
    forgotten_salt: '""',
    rows_from: 'null',
  };
}

export function readFacts(rows: readonly AnyRow[]): Partial<BooksFacts> {
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** @throws StoreError unless the tables are this release's and the rows this system's */
export function checkFacts(found: Partial<BooksFacts>, systemId: string): void {
  const version = Number(found.schema_version);
  if (version > schemaVersion) {
    const text = `The reporting database has version ${version} of its tables, this release version ${schemaVersion}.`;
    throw new StoreError('reporting_schema_newer', text);
  }
  if (version !== schemaVersion) {
    const text = `The reporting database has version ${found.schema_version} of its tables: make it anew for ${schemaVersion}.`;
    throw new StoreError('reporting_schema_older', text);
  }
  if (found.system_id !== JSON.stringify(systemId)) {
    const text = `The reporting database belongs to system ${found.system_id}, and this is system "${systemId}".`;
    throw new StoreError('reporting_other_system', text);
  }
}

/** What the books say of themselves now; undefined: they have no such fact. @throws StoreError */
export async function readFact(
  store: Pick<BooksStore, 'dialect' | 'prefix' | 'select'>,
  name: keyof BooksFacts,
): Promise<unknown> {
  const place = store.dialect === 'postgres' ? '$1' : '?1';
  const text = `SELECT "value" FROM ${store.prefix}"facts" WHERE "name" = ${place}`;
  const [fact] = await store.select(text, [name]);
  return fact === undefined ? undefined : JSON.parse(String(fact.value));
}

/** The statement that changes a fact; `value` as JSON. */
export function factChange(
  { dialect, prefix }: Pick<BooksStore, 'dialect' | 'prefix'>,
  name: keyof BooksFacts,
  value: unknown,
): { readonly text: string; readonly values: readonly unknown[] } {
  const [first, second] = dialect === 'postgres' ? ['$1', '$2::jsonb'] : ['?1', '?2'];
  return {
    text: `UPDATE ${prefix}"facts" SET "value" = ${second} WHERE "name" = ${first}`,
    values: [name, JSON.stringify(value)],
  };
}
