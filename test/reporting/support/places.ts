import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { type BooksPlace, openStore } from '../../../src/reporting/store/open.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { isPostgresMissing, startTestPostgres, type TestPostgres } from '../../support/postgres.ts';

export const systemId = '0123456789abcdef01234567';

/** What a test has of the database that it runs on. */
export interface TestBooks {
  readonly dialect: 'postgres' | 'libsql';
  /** A place without books. */
  place(): Promise<BooksPlace>;
  /** New books, which are closed with the test. */
  open(place?: BooksPlace, system?: string): Promise<BooksStore>;
  /** PostgreSQL's server. */
  server(): TestPostgres;
}

/** Runs the same tests on PostgreSQL and on libsql. */
export function onEachDatabase(tests: (books: TestBooks) => void): void {
  describe.skipIf(isPostgresMissing())('postgres', () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startTestPostgres();
    });
    afterAll(() => server.stop());
    tests(
      booksOf(
        'postgres',
        async () => ({ url: await server.database() }),
        () => server,
      ),
    );
  });
  describe('libsql', () => {
    const directories: string[] = [];
    afterAll(() => {
      for (const directory of directories) rmSync(directory, { recursive: true, force: true });
    });
    const place = async () => {
      const directory = mkdtempSync(join(tmpdir(), 'potstream-books-'));
      directories.push(directory);
      return { directory: join(directory, 'reporting') };
    };
    tests(
      booksOf('libsql', place, () => {
        throw new Error('There is no server.');
      }),
    );
  });
}

function booksOf(
  dialect: TestBooks['dialect'],
  place: TestBooks['place'],
  server: TestBooks['server'],
): TestBooks {
  return {
    dialect,
    place,
    server,
    async open(given, system = systemId) {
      const store = await openStore(given ?? (await place()), system);
      onTestFinished(() => store.close().catch(() => {}));
      return store;
    },
  };
}
