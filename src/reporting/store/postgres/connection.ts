import pg from 'pg';
import { StoreError } from '../../base/errors.ts';
import { reportingLimits } from '../../base/limits.ts';
import type { AnyRow } from '../shared/rows.ts';

/** For what the books are opened: questions have connections of their own, and less time. */
export type BooksUse = 'writing' | 'reading';

const connectWithinMs = 10_000;
const limits = {
  // A transaction is bounded by its batch.
  writing: { max: 8, statement_timeout: 60_000 },
  reading: {
    max: reportingLimits.questionConnections,
    statement_timeout: reportingLimits.questionWithinMs,
  },
} as const;

/** Values come as their text: the readers know what each column is. */
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;

/** Connections to the database of a URL, which may name a user, a password and how TLS is used. */
export function connectionsTo(url: string, use: BooksUse = 'writing'): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'potstream reporting',
    ...limits[use],
    connectionTimeoutMillis: connectWithinMs,
    types,
  });
  // A connection that is idle when the server ends: the next statement says so.
  pool.on('error', () => {});
  return pool;
}

/** Runs `work` on one connection, in one transaction. @throws StoreError */
export async function transaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await available(() => pool.connect());
  try {
    // The books follow from the log: what a crash of the database takes is written again, position and rows.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // With its connection the transaction ends, whatever had become of it.
    client.release(true);
    throw unavailable(error);
  }
}

export async function rowsFrom(
  pool: Pick<pg.Pool, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly AnyRow[]> {
  return (await available(() => pool.query(text, [...values]))).rows;
}

async function available<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable(error);
  }
}

/** Connections that failed, a server that starts or ends, and one without room: it passes. */
const passing = /^(08|53|57P|57014|40|25006|55P03)/;

/** The error, or what is unavailable for a while. */
function unavailable(error: unknown): unknown {
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (error instanceof StoreError || isBug) return error;
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
  const isOfServer = error instanceof pg.DatabaseError;
  if (isOfServer && !passing.test(String(code))) return error;
  return new StoreError('reporting_unavailable', `The reporting database does not answer: ${message}`, error);
}
