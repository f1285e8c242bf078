import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { LedgerState, LedgerTransaction, StatementRow } from './transaction.ts';

/** Rows of one transaction of the database. */
const groupRows = 10_000;

const schema = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -65536;
  CREATE TABLE ledger (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, player TEXT NOT NULL, atoms TEXT, currency TEXT,
    opened_ms INTEGER NOT NULL, state TEXT NOT NULL, settled_ms INTEGER, note TEXT
  ) WITHOUT ROWID;
  CREATE TABLE batches (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE statements (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, player TEXT NOT NULL, batch TEXT,
    atoms TEXT NOT NULL, currency TEXT NOT NULL, at_ms INTEGER NOT NULL, state TEXT NOT NULL
  );`;

/** Both sides in a temporary database: millions of transactions take disk, not memory. */
export class ReconcileStore {
  readonly database: Database.Database;
  readonly #directory: string;
  readonly #statements: ReturnType<typeof prepare>;
  #grouped = 0;

  constructor() {
    this.#directory = mkdtempSync(join(tmpdir(), 'potstream-reconcile-'));
    this.database = new Database(join(this.#directory, 'reconcile.db'));
    this.database.exec(schema);
    this.#statements = prepare(this.database);
    this.database.exec('BEGIN');
  }

  /** A transaction is open, unless it is known. What is announced first gets its amount later. */
  opened({ id, type, player, amountAtoms, currency, openedMs }: LedgerTransaction): void {
    this.#run(this.#statements.opened, id, type, player, amountAtoms?.toString() ?? null, currency, openedMs);
  }

  /** The end of a transaction. Ids of other brands are unknown and change nothing. */
  ended(id: string, state: Exclude<LedgerState, 'open'>, settledMs: number, note: string | null): void {
    this.#run(this.#statements.ended, state, settledMs, note, id);
  }

  addBatch(id: string): void {
    this.#run(this.#statements.batch, id);
  }

  addStatement({ id, type, player, batch, amountAtoms, currency, timestampMs, state }: StatementRow): void {
    const atoms = amountAtoms.toString();
    this.#run(this.#statements.statement, id, type, player, batch, atoms, currency, timestampMs, state);
  }

  /** To be called between filling and asking. */
  index(): void {
    this.database.exec('COMMIT; CREATE INDEX IF NOT EXISTS statement_ids ON statements (id); BEGIN');
  }

  close(): void {
    this.database.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #run(statement: Database.Statement, ...values: readonly (string | number | null)[]): void {
    statement.run(...values);
    this.#grouped += 1;
    if (this.#grouped % groupRows === 0) this.database.exec('COMMIT; BEGIN');
  }
}

function prepare(database: Database.Database) {
  return {
    opened: database.prepare(`
      INSERT INTO ledger (id, type, player, atoms, currency, opened_ms, state) VALUES (?, ?, ?, ?, ?, ?, 'open')
      ON CONFLICT (id) DO UPDATE SET atoms = COALESCE(excluded.atoms, atoms),
        currency = COALESCE(excluded.currency, currency)`),
    ended: database.prepare(`
      UPDATE ledger SET state = ?, settled_ms = ?, note = ? WHERE id = ? AND state = 'open'`),
    batch: database.prepare('INSERT OR IGNORE INTO batches (id) VALUES (?)'),
    statement: database.prepare(`
      INSERT INTO statements (id, type, player, batch, atoms, currency, at_ms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  };
}
