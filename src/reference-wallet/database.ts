import { hash } from 'node:crypto';
import Database from 'libsql';
import { maxAmountAtoms } from '../lib/money.ts';

/** A player of the wallet. Amounts are atoms of the player's currency. */
export interface WalletPlayer {
  /** Brand path. */
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly balanceAtoms: bigint;
  readonly nickname: string;
  readonly gender: string;
  readonly country: string;
  readonly dateOfBirth: string;
  readonly maxBetAtoms: bigint | null;
  readonly jurisdiction: string;
  readonly segments: readonly string[];
}

export interface WalletToken {
  readonly player: WalletPlayer;
  readonly expiresMs: number | null;
  readonly revoked: boolean;
}

/** The reference wallet's truth: an embedded database in one file. Tokens are kept as their digests. */
export interface WalletDatabase {
  /** Makes or changes a player; the balance of one that is there stays as it is. */
  putPlayer(player: WalletPlayer): void;
  /** A token of a player that is there; false where it is not. */
  putToken(brand: string, player: string, token: string, expiresMs: number | null): boolean;
  /** False: nobody has this token. */
  revokeToken(token: string): boolean;
  findToken(token: string): WalletToken | undefined;
  /** Remembers that a session began or went on. */
  touchSession(token: string, currency: string, source: string | null, nowMs: number): void;
  sessions(): number;
  close(): void;
}

const schema = `
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
`;

/** Opens the file and makes it where it is missing. Every change is on the disk when it returns. */
export function openWalletDatabase(path: string): WalletDatabase {
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  database.exec(schema);
  const statements = {
    putPlayer: database.prepare(`
      INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (brand, player) DO UPDATE SET
        currency = excluded.currency, nickname = excluded.nickname, gender = excluded.gender,
        country = excluded.country, date_of_birth = excluded.date_of_birth,
        max_bet_atoms = excluded.max_bet_atoms, jurisdiction = excluded.jurisdiction, segments = excluded.segments`),
    findPlayer: database.prepare('SELECT 1 FROM players WHERE brand = ? AND player = ?'),
    putToken: database.prepare(`
      INSERT INTO tokens (digest, brand, player, expires_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET
        brand = excluded.brand, player = excluded.player, expires_ms = excluded.expires_ms, revoked = 0`),
    revokeToken: database.prepare('UPDATE tokens SET revoked = 1 WHERE digest = ?'),
    findToken: database.prepare(`
      SELECT brand, player, currency, CAST(balance_atoms AS TEXT) AS balance_atoms, nickname, gender, country,
        date_of_birth, CAST(max_bet_atoms AS TEXT) AS max_bet_atoms, jurisdiction, segments, expires_ms, revoked
      FROM tokens JOIN players USING (brand, player) WHERE digest = ?`),
    touchSession: database.prepare(`
      INSERT INTO sessions VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (digest, currency) DO UPDATE SET source = excluded.source, seen_ms = excluded.seen_ms`),
    sessions: database.prepare('SELECT COUNT(*) AS count FROM sessions'),
  };
  return {
    putPlayer(player) {
      statements.putPlayer.run(
        player.brand,
        player.player,
        player.currency,
        player.balanceAtoms,
        player.nickname,
        player.gender,
        player.country,
        player.dateOfBirth,
        player.maxBetAtoms,
        player.jurisdiction,
        JSON.stringify(player.segments),
      );
    },
    putToken(brand, player, token, expiresMs) {
      if (statements.findPlayer.get(brand, player) === undefined) return false;
      statements.putToken.run(digestOf(token), brand, player, expiresMs);
      return true;
    },
    revokeToken: (token) => statements.revokeToken.run(digestOf(token)).changes > 0,
    findToken(token) {
      const row = statements.findToken.get(digestOf(token)) as TokenRow | undefined;
      return row === undefined ? undefined : tokenOf(row);
    },
    touchSession(token, currency, source, nowMs) {
      statements.touchSession.run(digestOf(token), currency, source, nowMs, nowMs);
    },
    sessions: () => Number((statements.sessions.get() as { count: number }).count),
    close: () => void database.close(),
  };
}

interface TokenRow {
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly balance_atoms: string;
  readonly nickname: string;
  readonly gender: string;
  readonly country: string;
  readonly date_of_birth: string;
  readonly max_bet_atoms: string | null;
  readonly jurisdiction: string;
  readonly segments: string;
  readonly expires_ms: number | null;
  readonly revoked: number;
}

function tokenOf(row: TokenRow): WalletToken {
  return {
    player: {
      brand: row.brand,
      player: row.player,
      currency: row.currency,
      balanceAtoms: BigInt(row.balance_atoms),
      nickname: row.nickname,
      gender: row.gender,
      country: row.country,
      dateOfBirth: row.date_of_birth,
      maxBetAtoms: row.max_bet_atoms === null ? null : BigInt(row.max_bet_atoms),
      jurisdiction: row.jurisdiction,
      segments: JSON.parse(row.segments) as string[],
    },
    expiresMs: row.expires_ms,
    revoked: row.revoked !== 0,
  };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}
