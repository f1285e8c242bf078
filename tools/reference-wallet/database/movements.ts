import type Database from 'libsql';

/** One change of one player's balance. */
export interface Movement {
  readonly kind: 'deposit' | 'apply' | 'cancel';
  readonly brand: string;
  readonly player: string;
  /** null: a deposit. */
  readonly transaction: string | null;
  readonly realAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly atMs: number;
}

export interface StoredMovement extends Movement {
  readonly seq: number;
}

/** The books of one currency; all amounts are atoms. */
export interface CurrencyBooks {
  readonly currency: string;
  readonly debits: number;
  readonly credits: number;
  readonly debitedAtoms: bigint;
  readonly creditedAtoms: bigint;
  readonly cancelledDebitsAtoms: bigint;
  readonly cancelledCreditsAtoms: bigint;
}

/** What players of one currency hold, beside the sum of all that moved; the two are equal. */
export interface Funds {
  readonly currency: string;
  readonly heldAtoms: bigint;
  readonly movedAtoms: bigint;
}

const maxIdsShown = 100;

/** The journal of all changes of balances, and the sums over it. */
export class Movements {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database) {
    this.#statements = prepare(database);
  }

  append(one: Movement): void {
    const { kind, brand, player, transaction, realAtoms, bonusAtoms, atMs } = one;
    this.#statements.append.run(kind, brand, player, transaction, realAtoms, bonusAtoms, atMs);
  }

  page(after: number, limit: number): StoredMovement[] {
    return (this.#statements.page.all(after, limit) as MovementRow[]).map((row) => ({
      seq: Number(row.seq),
      kind: row.kind,
      brand: row.brand,
      player: row.player,
      transaction: row.transaction_id,
      realAtoms: row.real_atoms,
      bonusAtoms: row.bonus_atoms,
      atMs: Number(row.at_ms),
    }));
  }

  books(): CurrencyBooks[] {
    return (this.#statements.books.all() as BooksRow[]).map((row) => ({
      currency: row.currency,
      debits: Number(row.debits),
      credits: Number(row.credits),
      debitedAtoms: whole(row.debited_high, row.debited_low),
      creditedAtoms: whole(row.credited_high, row.credited_low),
      cancelledDebitsAtoms: whole(row.cancelled_debits_high, row.cancelled_debits_low),
      cancelledCreditsAtoms: whole(row.cancelled_credits_high, row.cancelled_credits_low),
    }));
  }

  funds(): Funds[] {
    return (this.#statements.funds.all() as FundsRow[]).map((row) => ({
      currency: row.currency,
      heldAtoms: whole(row.funds_high, row.funds_low),
      movedAtoms: whole(row.moved_high, row.moved_low),
    }));
  }

  /** Transactions that moved money more than once, or were cancelled more than once. */
  repeated(): string[] {
    return (this.#statements.repeated.all(maxIdsShown) as { transaction_id: string }[]).map(
      (row) => row.transaction_id,
    );
  }

  counts() {
    const row = this.#statements.counts.get() as Record<'open' | 'cancelled' | 'tombstones', bigint>;
    return {
      debitsInOpenRounds: Number(row.open),
      cancelled: Number(row.cancelled),
      tombstones: Number(row.tombstones),
    };
  }
}

interface MovementRow {
  readonly seq: bigint;
  readonly kind: Movement['kind'];
  readonly brand: string;
  readonly player: string;
  readonly transaction_id: string | null;
  readonly real_atoms: bigint;
  readonly bonus_atoms: bigint;
  readonly at_ms: bigint;
}

type Sums<Name extends string> = Readonly<Record<`${Name}_high` | `${Name}_low`, bigint>>;

interface BooksRow extends Sums<'debited' | 'credited' | 'cancelled_debits' | 'cancelled_credits'> {
  readonly currency: string;
  readonly debits: bigint;
  readonly credits: bigint;
}

interface FundsRow extends Sums<'funds' | 'moved'> {
  readonly currency: string;
}

/**
 * A sum of amounts may not fit SQLite's integers, so it is two sums: of multiples of this many atoms, and of
 * the rest.
 */
const part = 1_000_000_000n;

function whole(high: bigint, low: bigint): bigint {
  return high * part + low;
}

function sum(name: string, ...terms: readonly string[]): string {
  const high = terms.map((term) => `COALESCE(SUM(${term} / ${part}), 0)`).join(' + ');
  const low = terms.map((term) => `COALESCE(SUM(${term} % ${part}), 0)`).join(' + ');
  return `${high} AS ${name}_high, ${low} AS ${name}_low`;
}

function sumOf(name: string, type: string, state: string): string {
  return sum(name, `(CASE WHEN type = '${type}' AND state = '${state}' THEN amount_atoms END)`);
}

function prepare(database: Database.Database) {
  const reading = (sql: string) => database.prepare(sql).safeIntegers(true);
  return {
    append: database.prepare(`
      INSERT INTO movements (kind, brand, player, transaction_id, real_atoms, bonus_atoms, at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    page: reading('SELECT * FROM movements WHERE seq > ? ORDER BY seq LIMIT ?'),
    books: reading(`
      SELECT currency,
        SUM(type = 'Debit' AND state = 'done') AS debits, SUM(type = 'Credit' AND state = 'done') AS credits,
        ${sumOf('debited', 'Debit', 'done')}, ${sumOf('credited', 'Credit', 'done')},
        ${sumOf('cancelled_debits', 'Debit', 'cancelled')}, ${sumOf('cancelled_credits', 'Credit', 'cancelled')}
      FROM transactions GROUP BY currency ORDER BY currency`),
    funds: reading(`
      WITH funds AS (
        SELECT currency, ${sum('funds', 'balance_atoms', 'bonus_atoms')} FROM players GROUP BY currency
      ), moved AS (
        SELECT currency, ${sum('moved', 'movements.real_atoms', 'movements.bonus_atoms')}
        FROM movements JOIN players USING (brand, player) GROUP BY currency
      )
      SELECT currency, funds_high, funds_low, COALESCE(moved_high, 0) AS moved_high, COALESCE(moved_low, 0) AS moved_low
      FROM funds LEFT JOIN moved USING (currency) ORDER BY currency`),
    repeated: reading(`
      SELECT transaction_id FROM movements WHERE transaction_id IS NOT NULL
      GROUP BY transaction_id, kind HAVING COUNT(*) > 1 LIMIT ?`),
    counts: reading(`
      SELECT
        (SELECT COUNT(*) FROM transactions AS debit WHERE type = 'Debit' AND state = 'done' AND NOT EXISTS (
          SELECT 1 FROM transactions AS closing
          WHERE closing.round = debit.round AND closing.closes_round = 1 AND closing.state = 'done')) AS open,
        (SELECT COUNT(*) FROM transactions WHERE state = 'cancelled') AS cancelled,
        (SELECT COUNT(*) FROM tombstones WHERE refusal IS NULL) AS tombstones`),
  };
}
