import type Database from 'libsql';

/** A batch that was executed, in whole or in part. */
export interface StoredBatch {
  readonly id: string;
  readonly fingerprint: string;
  /** The answer's text. */
  readonly answer: string;
  /** Ids of all its records, also of those that were not accepted. */
  readonly records: readonly string[];
  /** Cancelled: all its accepted records are. */
  readonly state: 'done' | 'cancelled';
}

/** Batches, and the tombstones of ids that were cancelled before they were executed. */
export class Batches {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database) {
    this.#statements = prepare(database);
  }

  find(id: string): StoredBatch | undefined {
    const row = this.#statements.find.get(id) as (StoredBatch & { records: string }) | undefined;
    if (row === undefined) return undefined;
    const { fingerprint, answer, state } = row;
    return { id, fingerprint, answer, state, records: JSON.parse(row.records) as string[] };
  }

  insert(batch: Omit<StoredBatch, 'state'>, atMs: number): void {
    const { id, fingerprint, answer, records } = batch;
    this.#statements.insert.run(id, fingerprint, answer, JSON.stringify(records), atMs);
  }

  setCancelled(id: string): void {
    this.#statements.setCancelled.run(id);
  }

  hasTombstone(kind: 'transaction' | 'batch', id: string): boolean {
    return this.#statements.findTombstone.get(kind, id) !== undefined;
  }

  putTombstone(kind: 'transaction' | 'batch', id: string, atMs: number): void {
    this.#statements.putTombstone.run(kind, id, atMs);
  }
}

function prepare(database: Database.Database) {
  return {
    find: database.prepare('SELECT fingerprint, answer, records, state FROM batches WHERE id = ?'),
    insert: database.prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?, 'done')"),
    setCancelled: database.prepare("UPDATE batches SET state = 'cancelled' WHERE id = ?"),
    findTombstone: database.prepare('SELECT 1 FROM tombstones WHERE kind = ? AND id = ?'),
    putTombstone: database.prepare('INSERT OR IGNORE INTO tombstones VALUES (?, ?, ?)'),
  };
}
