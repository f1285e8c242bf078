import type pg from 'pg';
import type { ForgottenPlayer, ForgottenPlayers } from '../../base/forgotten.ts';
import type { LaneBatch, LanePosition, StreamBatch } from '../../base/lane-batch.ts';
import type { SideStream } from '../../base/side-tables.ts';
import { checkFacts, factsOf, readFacts } from '../shared/facts.ts';
import { ForgottenInBooks, forgetPlayers } from '../shared/forget.ts';
import { type AnyRow, readPosition } from '../shared/rows.ts';
import { createStatements, sqlName } from '../shared/schema.ts';
import type { BooksStore } from '../store.ts';
import { type BooksUse, connectionsTo, rowsFrom, transaction } from './connection.ts';
import { PostgresWriter } from './writer.ts';

/** The schema with the books, the one where they are made anew, and the one that they leave. */
const liveSchema = 'reporting';
export const nextSchema = 'reporting_next';
const formerSchema = 'reporting_former';

/** A player with millions of rows. */
const forgetWithinMs = 900_000;

/** Held while tables are made or schemas swapped: a second process waits. The number means nothing. */
const lock = 'SELECT pg_advisory_xact_lock(7046029254386353131)';

/** Opens the books in a schema, and makes them where there are none. @throws StoreError */
export async function openPostgresBooks(
  url: string,
  systemId: string,
  schema: string = liveSchema,
  use: BooksUse = 'writing',
): Promise<PostgresBooks> {
  const pool = connectionsTo(url, use);
  try {
    const found = await transaction(pool, (client) => factsIn(client, schema, systemId));
    checkFacts(found, systemId);
    return new PostgresBooks(pool, schema);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Puts the books of `nextSchema` in the place of the live ones, in one step. @throws StoreError */
export async function swapPostgresBooks(url: string): Promise<void> {
  const pool = connectionsTo(url);
  try {
    const dropFormer = () => rowsFrom(pool, `DROP SCHEMA IF EXISTS ${formerSchema} CASCADE`);
    await dropFormer();
    await transaction(pool, async (client) => {
      // Who is told that the books were made anew finds them, whatever crashes then.
      await client.query('SET LOCAL synchronous_commit = on');
      await client.query(lock);
      await waitForWriters(client, liveSchema);
      if (await hasSchema(client, liveSchema))
        await client.query(`ALTER SCHEMA ${liveSchema} RENAME TO ${formerSchema}`);
      await client.query(`ALTER SCHEMA ${nextSchema} RENAME TO ${liveSchema}`);
    });
    // A program that still reads them keeps them: the next swap drops them.
    await dropFormer().catch(() => {});
  } finally {
    await pool.end();
  }
}

/**
 * Until the transaction ends, no other has changed a position of these books and is not over: the first
 * half of its rows would be in them, the second in the others. Readers go on.
 */
async function waitForWriters(client: pg.ClientBase, schema: string): Promise<void> {
  const positions = `${sqlName(schema)}."positions"`;
  const { rows } = await client.query('SELECT to_regclass($1) AS "found"', [positions]);
  if (rows[0]?.found !== null) await client.query(`LOCK TABLE ${positions} IN EXCLUSIVE MODE`);
}

/** Removes what an attempt to make the books anew has left. @throws StoreError */
export async function dropNextPostgresBooks(url: string): Promise<void> {
  const pool = connectionsTo(url);
  try {
    await rowsFrom(pool, `DROP SCHEMA IF EXISTS ${nextSchema} CASCADE`);
  } finally {
    await pool.end();
  }
}

class PostgresBooks implements BooksStore {
  readonly dialect = 'postgres';
  readonly prefix: string;
  readonly #pool: pg.Pool;
  readonly #writer: PostgresWriter;
  readonly #forgotten: ForgottenInBooks = new ForgottenInBooks(this);

  constructor(pool: pg.Pool, schema: string) {
    this.#pool = pool;
    this.prefix = `${sqlName(schema)}.`;
    this.#writer = new PostgresWriter(this.prefix);
  }

  async position(lane: number): Promise<LanePosition | null> {
    const [row] = await this.select(
      `SELECT "lane", "sequence", (extract(epoch FROM "time") * 1000)::bigint AS "time", "head", "system_id"
       FROM ${this.prefix}"positions" WHERE "lane" = $1`,
      [lane],
    );
    return row === undefined ? null : readPosition(row);
  }

  async write(batch: LaneBatch): Promise<void> {
    await this.#forgotten.write((forgetting) =>
      transaction(this.#pool, async (client) => {
        // Forgetting waits for this transaction, and later ones for it.
        const { rows } = await client.query(`SELECT "value" FROM ${this.#forgottenFact} FOR SHARE`);
        if (Number(rows[0]?.value) !== forgetting.count) return false;
        await this.#writer.write(client, forgetting.applied(batch));
        return true;
      }),
    );
  }

  async forget(players: ForgottenPlayers): Promise<readonly ForgottenPlayer[]> {
    if (await this.#forgotten.hasAll(players)) return [];
    return transaction(this.#pool, async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${forgetWithinMs}`);
      await client.query(`SELECT 1 FROM ${this.#forgottenFact} FOR UPDATE`);
      const steps = forgetPlayers(this, players);
      let step = steps.next();
      while (step.done !== true) {
        const { text, values } = step.value;
        step = steps.next((await client.query(text, [...values])).rows);
      }
      return step.value;
    });
  }

  get #forgottenFact(): string {
    return `${this.prefix}"facts" WHERE "name" = 'forgotten'`;
  }

  async streamPosition(stream: SideStream): Promise<number | null> {
    const text = `SELECT "sequence" FROM ${this.prefix}"stream_positions" WHERE "stream" = $1`;
    const [row] = await this.select(text, [stream]);
    return row === undefined ? null : Number(row.sequence);
  }

  writeStream(batch: StreamBatch): Promise<void> {
    return transaction(this.#pool, (client) => this.#writer.writeStream(client, batch));
  }

  select(text: string, values: readonly unknown[]): Promise<readonly AnyRow[]> {
    return rowsFrom(this.#pool, text, values);
  }

  /** The schema of that name, whichever it is. */
  isCurrent(): boolean {
    return true;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** The facts of the books in a schema, which are made where they are missing. */
async function factsIn(client: pg.ClientBase, schema: string, systemId: string) {
  const prefix = `${sqlName(schema)}.`;
  const facts = `${prefix}"facts"`;
  await client.query(lock);
  const { rows } = await client.query('SELECT to_regclass($1) AS "found"', [facts]);
  if (rows[0]?.found === null) {
    if (!(await hasSchema(client, schema))) await client.query(`CREATE SCHEMA ${sqlName(schema)}`);
    for (const statement of createStatements('postgres', prefix)) await client.query(statement);
    for (const [name, value] of Object.entries(factsOf(systemId)))
      await client.query(`INSERT INTO ${facts} ("name", "value", "since") VALUES ($1, $2::jsonb, now())`, [
        name,
        value,
      ]);
  }
  return readFacts((await client.query(`SELECT "name", "value" FROM ${facts}`)).rows);
}

/** A schema that an administrator of the database has made is taken as it is. */
async function hasSchema(client: pg.ClientBase, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  return rowCount === 1;
}
