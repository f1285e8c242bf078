import type Database from 'libsql';
import { maxAmountAtoms } from '../../../src/lib/money.ts';

/**
 * The steps that a file has taken, in order; `user_version` counts them. All amounts are atoms. `movements`
 * records every change of a balance, so that a balance can be recomputed and a double payment be seen.
 */
const steps: readonly string[] = [
  `
  CREATE TABLE IF NOT EXISTS players (
    brand TEXT NOT NULL,
    player TEXT NOT NULL,
    currency TEXT NOT NULL,
    balance_atoms INTEGER NOT NULL CHECK (balance_atoms BETWEEN 0 AND ${maxAmountAtoms}),
    nickname TEXT NOT NULL,
    gender TEXT NOT NULL,
    country TEXT NOT NULL,
    date_of_birth TEXT NOT NULL,
    max_bet_atoms INTEGER,
    jurisdiction TEXT NOT NULL,
    segments TEXT NOT NULL,
    PRIMARY KEY (brand, player)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY,
    brand TEXT NOT NULL,
    player TEXT NOT NULL,
    expires_ms INTEGER,
    revoked INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (brand, player) REFERENCES players (brand, player)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    digest TEXT NOT NULL REFERENCES tokens (digest),
    currency TEXT NOT NULL,
    source TEXT,
    started_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    PRIMARY KEY (digest, currency)
  ) STRICT;
`,
  `
  ALTER TABLE players ADD COLUMN bonus_atoms INTEGER NOT NULL DEFAULT 0
    CHECK (bonus_atoms BETWEEN 0 AND ${maxAmountAtoms});
  CREATE INDEX players_by_player ON players (player);
  CREATE INDEX tokens_by_player ON tokens (brand, player);
  CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    batch TEXT,
    type TEXT NOT NULL CHECK (type IN ('Debit', 'Credit')),
    brand TEXT NOT NULL,
    player TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_atoms INTEGER NOT NULL CHECK (amount_atoms >= 0),
    jackpot_atoms INTEGER NOT NULL CHECK (jackpot_atoms >= 0),
    bonus_atoms INTEGER NOT NULL CHECK (bonus_atoms BETWEEN 0 AND amount_atoms),
    round TEXT,
    closes_round INTEGER NOT NULL,
    details TEXT NOT NULL,
    fingerprint TEXT,
    at_ms INTEGER NOT NULL,
    balance_atoms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'cancelled')),
    cancelled_ms INTEGER,
    cancelled_balance_atoms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX transactions_by_time ON transactions (at_ms, id);
  CREATE INDEX closed_rounds ON transactions (brand, player, round) WHERE closes_round = 1 AND state = 'done';
  CREATE INDEX transactions_of_batches ON transactions (batch) WHERE batch IS NOT NULL;
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    records TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'cancelled'))
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tombstones (
    kind TEXT NOT NULL CHECK (kind IN ('transaction', 'batch')),
    id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE movements (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('deposit', 'apply', 'cancel')),
    brand TEXT NOT NULL,
    player TEXT NOT NULL,
    transaction_id TEXT,
    real_atoms INTEGER NOT NULL,
    bonus_atoms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  INSERT INTO movements (kind, brand, player, real_atoms, bonus_atoms, at_ms)
    SELECT 'deposit', brand, player, balance_atoms, bonus_atoms, 0 FROM players;
`,
  // The code of a debit that was refused under this id; null: the id was cancelled.
  'ALTER TABLE tombstones ADD COLUMN refusal TEXT;',
  // Rows in the order of their arrival. In the order of their ids, which are hashes, each insert wrote a page
  // of its own.
  `
  CREATE TABLE transactions_in_order (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    batch TEXT,
    type TEXT NOT NULL CHECK (type IN ('Debit', 'Credit')),
    brand TEXT NOT NULL,
    player TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_atoms INTEGER NOT NULL CHECK (amount_atoms >= 0),
    jackpot_atoms INTEGER NOT NULL CHECK (jackpot_atoms >= 0),
    bonus_atoms INTEGER NOT NULL CHECK (bonus_atoms BETWEEN 0 AND amount_atoms),
    round TEXT,
    closes_round INTEGER NOT NULL,
    details TEXT NOT NULL,
    fingerprint TEXT,
    at_ms INTEGER NOT NULL,
    balance_atoms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'cancelled')),
    cancelled_ms INTEGER,
    cancelled_balance_atoms INTEGER
  ) STRICT;
  INSERT INTO transactions_in_order (id, batch, type, brand, player, currency, amount_atoms, jackpot_atoms, bonus_atoms,
      round, closes_round, details, fingerprint, at_ms, balance_atoms, state, cancelled_ms, cancelled_balance_atoms)
    SELECT id, batch, type, brand, player, currency, amount_atoms, jackpot_atoms, bonus_atoms,
      round, closes_round, details, fingerprint, at_ms, balance_atoms, state, cancelled_ms, cancelled_balance_atoms
    FROM transactions ORDER BY at_ms, id;
  DROP TABLE transactions;
  ALTER TABLE transactions_in_order RENAME TO transactions;
  CREATE INDEX transactions_by_time ON transactions (at_ms, id);
  CREATE INDEX closed_rounds ON transactions (brand, player, round) WHERE closes_round = 1 AND state = 'done';
  CREATE INDEX transactions_of_batches ON transactions (batch) WHERE batch IS NOT NULL;
`,
  // A round is known by its id alone.
  `
  DROP INDEX closed_rounds;
  CREATE INDEX closed_rounds ON transactions (round) WHERE closes_round = 1 AND state = 'done';
`,
];

/** Brings the file to the newest form. */
export function migrate(database: Database.Database): void {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  for (let done = row.user_version; done < steps.length; done += 1) {
    database.exec(`BEGIN IMMEDIATE; ${steps[done]} PRAGMA user_version = ${done + 1}; COMMIT;`);
  }
}
