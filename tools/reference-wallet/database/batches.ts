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

/** An id that is never executed. */
export interface Tombstone {
  /** The code with which a debit of this id was refused; null: the id was cancelled. */
  readonly refusal: string | null;
}

/** Batches, and the tombstones of ids that were cancelled before they were executed, or refused. */
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

  /** undefined: there is no tombstone. */
  tombstone(kind: 'transaction' | 'batch', id: string): Tombstone | undefined {
    return this.#statements.findTombstone.get(kind, id) as Tombstone | undefined;
  }

  /** The first tombstone of an id stays. */
  putTombstone(kind: 'transaction' | 'batch', id: string, atMs: number, refusal: string | null = null): void {
    this.#statements.putTombstone.run(kind, id, atMs, refusal);
  }
}

function prepare(database: Database.Database) {
  return {
    find: database.prepare('SELECT fingerprint, answer, records, state FROM batches WHERE id = ?'),
    insert: database.prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?, 'done')"),
    setCancelled: database.prepare("UPDATE batches SET state = 'cancelled' WHERE id = ?"),
    findTombstone: database.prepare('SELECT refusal FROM tombstones WHERE kind = ? AND id = ?'),
    putTombstone: database.prepare(
      'INSERT OR IGNORE INTO tombstones (kind, id, at_ms, refusal) VALUES (?, ?, ?, ?)',
    ),
  };
}
