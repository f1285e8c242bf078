import type Database from 'libsql';

export type TransactionType = 'Debit' | 'Credit';

/** What decides how a transaction moves money. */
export interface Transfer {
  readonly id: string;
  readonly type: TransactionType;
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly amountAtoms: bigint;
  readonly jackpotAtoms: bigint;
  /** The part of the amount that is bonus funds. */
  readonly bonusAtoms: bigint;
}

/** A transaction that was executed, and perhaps cancelled since. */
export interface StoredTransaction extends Transfer {
  readonly batch: string | null;
  readonly round: string | null;
  readonly closesRound: boolean;
  /** What else the caller said, as JSON. */
  readonly details: string;
  /** The hash of the whole request; null for a record of a batch. */
  readonly fingerprint: string | null;
  readonly atMs: number;
  /** Balance after it. */
  readonly balanceAtoms: bigint;
  readonly state: 'done' | 'cancelled';
  /** Balance after its cancellation. */
  readonly cancelledBalanceAtoms: bigint | null;
}

export type NewTransaction = Omit<StoredTransaction, 'state' | 'cancelledBalanceAtoms'>;

/** Where a page of statements goes on: behind this transaction. */
export interface StatementPosition {
  readonly atMs: number;
  readonly id: string;
}

/** The transactions of the wallet. */
export class Transactions {
  readonly #statements: ReturnType<typeof prepare>;
  /** The next transaction is not before this moment. */
  #notBeforeMs: number;

  constructor(database: Database.Database) {
    this.#statements = prepare(database);
    const { newest } = this.#statements.newest.get() as { newest: bigint | null };
    this.#notBeforeMs = newest === null ? 0 : Number(newest) + 1;
  }

  /**
   * The moment of a transaction that is executed now. It never goes back, and lies behind all statements that
   * were read.
   */
  moment(nowMs: number): number {
    this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs);
    return this.#notBeforeMs;
  }

  find(id: string): StoredTransaction | undefined {
    const row = this.#statements.find.get(id) as Row | undefined;
    return row === undefined ? undefined : transactionOf(row);
  }

  ofBatch(batch: string): StoredTransaction[] {
    return (this.#statements.ofBatch.all(batch) as Row[]).map(transactionOf);
  }

  insert(one: NewTransaction): void {
    this.#statements.insert.run(
      one.id,
      one.batch,
      one.type,
      one.brand,
      one.player,
      one.currency,
      one.amountAtoms,
      one.jackpotAtoms,
      one.bonusAtoms,
      one.round,
      one.closesRound ? 1 : 0,
      one.details,
      one.fingerprint,
      one.atMs,
      one.balanceAtoms,
    );
  }

  setCancelled(id: string, atMs: number, balanceAtoms: bigint): void {
    this.#statements.setCancelled.run(atMs, balanceAtoms, id);
  }

  /**
   * A round is known by its id alone, for all players. The records of a batch are one transaction: none
   * closes it for another.
   */
  isRoundClosed(round: string, batch: string | null): boolean {
    return this.#statements.closed.get(round, batch) !== undefined;
  }

  /**
   * Transactions of a period, from `fromMs` and before `toMs`, in order of time and id, behind `after`. Later
   * ones get a later moment, so a page never changes.
   */
  page(
    period: { readonly fromMs: number; readonly toMs: number },
    brand: string | null,
    after: StatementPosition,
    limit: number,
  ): StoredTransaction[] {
    const { fromMs, toMs } = period;
    const rows = this.#statements.page.all(fromMs, toMs, after.atMs, after.id, brand, brand, limit) as Row[];
    const page = rows.map(transactionOf);
    const last = page.at(-1);
    if (last !== undefined) this.#notBeforeMs = Math.max(this.#notBeforeMs, last.atMs + 1);
    return page;
  }
}

interface Row {
  readonly id: string;
  readonly batch: string | null;
  readonly type: TransactionType;
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly amount_atoms: bigint;
  readonly jackpot_atoms: bigint;
  readonly bonus_atoms: bigint;
  readonly round: string | null;
  readonly closes_round: bigint;
  readonly details: string;
  readonly fingerprint: string | null;
  readonly at_ms: bigint;
  readonly balance_atoms: bigint;
  readonly state: 'done' | 'cancelled';
  readonly cancelled_balance_atoms: bigint | null;
}

function prepare(database: Database.Database) {
  const reading = (sql: string) => database.prepare(sql).safeIntegers(true);
  return {
    newest: reading('SELECT MAX(at_ms) AS newest FROM transactions'),
    find: reading('SELECT * FROM transactions WHERE id = ?'),
    ofBatch: reading('SELECT * FROM transactions WHERE batch = ? ORDER BY id'),
    insert: database.prepare(`
      INSERT INTO transactions (id, batch, type, brand, player, currency, amount_atoms, jackpot_atoms, bonus_atoms,
        round, closes_round, details, fingerprint, at_ms, balance_atoms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'done')`),
    setCancelled: database.prepare(`
      UPDATE transactions SET state = 'cancelled', cancelled_ms = ?, cancelled_balance_atoms = ? WHERE id = ?`),
    closed: reading(`
      SELECT 1 FROM transactions
      WHERE round = ? AND closes_round = 1 AND state = 'done' AND (batch IS NULL OR batch IS NOT ?) LIMIT 1`),
    page: reading(`
      SELECT * FROM transactions
      WHERE at_ms >= ? AND at_ms < ? AND (at_ms, id) > (?, ?) AND (? IS NULL OR brand = ?)
      ORDER BY at_ms, id LIMIT ?`),
  };
}

function transactionOf(row: Row): StoredTransaction {
  return {
    id: row.id,
    batch: row.batch,
    type: row.type,
    brand: row.brand,
    player: row.player,
    currency: row.currency,
    amountAtoms: row.amount_atoms,
    jackpotAtoms: row.jackpot_atoms,
    bonusAtoms: row.bonus_atoms,
    round: row.round,
    closesRound: row.closes_round !== 0n,
    details: row.details,
    fingerprint: row.fingerprint,
    atMs: Number(row.at_ms),
    balanceAtoms: row.balance_atoms,
    state: row.state,
    cancelledBalanceAtoms: row.cancelled_balance_atoms,
  };
}
