import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { type BooksPlace, openStore } from '../../src/reporting/store/open.ts';
import type { BooksStore } from '../../src/reporting/store/store.ts';
import { isPostgresMissing, startTestPostgres, type TestPostgres } from './postgres.ts';

/** What a SELECT of a test gives: numbers may be texts. */
type Rows = readonly Record<string, unknown>[];

const patienceMs = 60_000;

/** The books of a running system, and its Parquet files, as a test looks at them: PostgreSQL, or files of the system. */
export class RunningBooks {
  /** Settings of the system, and of commands that work on its books. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where Parquet files are. */
  readonly warehouse: string;
  /** null: the books are files. */
  readonly postgres: TestPostgres | null;
  readonly #place: BooksPlace;

  private constructor(dataDirectory: string, postgres: TestPostgres | null, place: BooksPlace) {
    this.warehouse = join(dataDirectory, 'warehouse');
    this.postgres = postgres;
    this.#place = place;
    this.environment = {
      POTSTREAM_DATA: dataDirectory,
      POTSTREAM_REPORTING: 'on',
      POTSTREAM_REPORTING_PARQUET_DIRECTORY: this.warehouse,
      ...('url' in place ? { POTSTREAM_REPORTING_URL: place.url } : {}),
    };
  }

  /** Before the system starts. */
  static async in(dataDirectory: string, { inPostgres }: { inPostgres: boolean }): Promise<RunningBooks> {
    const postgres = inPostgres && !isPostgresMissing() ? await startTestPostgres() : null;
    const place =
      postgres === null
        ? { directory: join(dataDirectory, 'reporting') }
        : { url: await postgres.database() };
    const books = new RunningBooks(dataDirectory, postgres, place);
    await mkdir(books.warehouse);
    return books;
  }

  /** The rows of a statement that both databases take. */
  async rows(text: string): Promise<Rows> {
    const place = this.#place;
    if ('url' in place) return rowsOfPostgres(place.url, text);
    const current = await readFile(join(place.directory, 'current'), 'utf8');
    // A writer that was killed leaves a file that the next one recovers.
    const database = new Database(join(place.directory, current), { timeout: patienceMs });
    try {
      const statement = database.prepare(text);
      if (text.startsWith('SELECT')) return statement.all() as Rows;
      statement.run();
      return [];
    } finally {
      database.close();
    }
  }

  /** Opened anew: a rebuild may have put others in their place. */
  async withStore<T>(work: (store: BooksStore) => Promise<T>): Promise<T> {
    const [fact] = await this.rows("SELECT value FROM facts WHERE name = 'system_id'");
    const store = await openStore(this.#place, String(fact?.value).replaceAll('"', ''), 'reading');
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Whether an attempt to make the books anew has begun. */
  async isRebuilding(): Promise<boolean> {
    const place = this.#place;
    if ('url' in place)
      return (await this.rows("SELECT 1 FROM pg_namespace WHERE nspname = 'reporting_next'")).length > 0;
    const current = await readFile(join(place.directory, 'current'), 'utf8');
    const next = `books-${Number(/\d+/.exec(current)?.[0]) + 1}.db`;
    return readFile(join(place.directory, next)).then(
      () => true,
      () => false,
    );
  }
}

/** As a program does that reads the books while their server dies. */
async function rowsOfPostgres(url: string, text: string): Promise<Rows> {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, options: '-c search_path=reporting' });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } catch (error) {
      const passes = /connect|terminat|recovery|starting up|ECONN/i.test(String(error));
      if (!passes || performance.now() > endsAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
