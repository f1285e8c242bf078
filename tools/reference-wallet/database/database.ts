import Database from 'libsql';
import { Accounts } from './accounts.ts';
import { Batches } from './batches.ts';
import { GroupCommit } from './group-commit.ts';
import { Movements } from './movements.ts';
import { migrate } from './schema.ts';
import { Transactions } from './transactions.ts';

/** The reference wallet's truth: an embedded database in one file. Only tasks of `commit` change it. */
export interface WalletDatabase {
  readonly accounts: Accounts;
  readonly transactions: Transactions;
  readonly batches: Batches;
  readonly movements: Movements;
  /** Runs a task that may change everything above. Its result comes when the change is on the disk. */
  commit<T>(task: () => T): Promise<T>;
  /** Waits for the tasks that were given before. */
  close(): Promise<void>;
}

/**
 * Every commit is fsynced. Ids are random, so pages are kept in memory and copied out of the journal in large
 * portions.
 */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -65536;
  PRAGMA wal_autocheckpoint = 8000;
`;

/** Opens the file and makes it where it is missing. */
export function openWalletDatabase(path: string): WalletDatabase {
  const database = new Database(path);
  database.exec(pragmas);
  migrate(database);
  const commits = new GroupCommit(database);
  return {
    accounts: new Accounts(database),
    transactions: new Transactions(database),
    batches: new Batches(database),
    movements: new Movements(database),
    commit: (task) => commits.run(task),
    async close() {
      await commits.run(() => {});
      database.close();
    },
  };
}
