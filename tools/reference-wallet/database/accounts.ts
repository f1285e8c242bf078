import { hash } from 'node:crypto';
import type Database from 'libsql';

/** A player of the wallet. Amounts are atoms of the player's currency. */
export interface WalletPlayer {
  /** Brand path. */
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  /** Real money; `bonusAtoms` is beside it. */
  readonly balanceAtoms: bigint;
  readonly bonusAtoms: bigint;
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

/** Players, their tokens and sessions. Tokens are kept as their digests. */
export class Accounts {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database.Database) {
    this.#statements = prepare(database);
  }

  /** Adds a player without money. */
  add(player: WalletPlayer): void {
    this.#statements.add.run(player.brand, player.player, player.currency, ...detailsOf(player));
  }

  /** Changes everything but the key, the currency and the money. */
  change(player: WalletPlayer): void {
    this.#statements.change.run(...detailsOf(player), player.brand, player.player);
  }

  find(brand: string, player: string): WalletPlayer | undefined {
    const row = this.#statements.find.get(brand, player) as PlayerRow | undefined;
    return row === undefined ? undefined : playerOf(row);
  }

  /** The players of this id; at most two, which is enough to know that it is not unique. */
  named(player: string): WalletPlayer[] {
    return (this.#statements.named.all(player) as PlayerRow[]).map(playerOf);
  }

  /** At most `limit` players of a brand, in order of their ids behind `after`. */
  list(brand: string, after: string, limit: number): WalletPlayer[] {
    return (this.#statements.list.all(brand, after, limit) as PlayerRow[]).map(playerOf);
  }

  setBalances(brand: string, player: string, balanceAtoms: bigint, bonusAtoms: bigint): void {
    this.#statements.setBalances.run(balanceAtoms, bonusAtoms, brand, player);
  }

  /** A token of a player that is there; one that was revoked holds again. */
  putToken(brand: string, player: string, token: string, expiresMs: number | null): void {
    this.#statements.putToken.run(digestOf(token), brand, player, expiresMs);
  }

  /** False: no player has this token. */
  revokeToken(token: string): boolean {
    return this.#statements.revokeToken.run(digestOf(token)).changes > 0;
  }

  revokeTokensOf(brand: string, player: string): void {
    this.#statements.revokeTokensOf.run(brand, player);
  }

  findToken(token: string): WalletToken | undefined {
    const row = this.#statements.findToken.get(digestOf(token)) as TokenRow | undefined;
    if (row === undefined) return undefined;
    const expiresMs = row.expires_ms === null ? null : Number(row.expires_ms);
    return { player: playerOf(row), expiresMs, revoked: row.revoked !== 0n };
  }

  /** Remembers that a session began or went on. */
  touchSession(token: string, currency: string, source: string | null, nowMs: number): void {
    this.#statements.touchSession.run(digestOf(token), currency, source, nowMs, nowMs);
  }

  sessions(): number {
    return Number((this.#statements.sessions.get() as { count: bigint }).count);
  }
}

interface PlayerRow {
  readonly brand: string;
  readonly player: string;
  readonly currency: string;
  readonly balance_atoms: bigint;
  readonly bonus_atoms: bigint;
  readonly nickname: string;
  readonly gender: string;
  readonly country: string;
  readonly date_of_birth: string;
  readonly max_bet_atoms: bigint | null;
  readonly jurisdiction: string;
  readonly segments: string;
}

interface TokenRow extends PlayerRow {
  readonly expires_ms: bigint | null;
  readonly revoked: bigint;
}

const columns = `brand, player, currency, balance_atoms, bonus_atoms, nickname, gender, country, date_of_birth,
  max_bet_atoms, jurisdiction, segments`;

function prepare(database: Database.Database) {
  const reading = (sql: string) => database.prepare(sql).safeIntegers(true);
  return {
    add: database.prepare(`
      INSERT INTO players (brand, player, currency, balance_atoms, bonus_atoms, nickname, gender, country,
        date_of_birth, max_bet_atoms, jurisdiction, segments)
      VALUES (?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)`),
    change: database.prepare(`
      UPDATE players SET nickname = ?, gender = ?, country = ?, date_of_birth = ?, max_bet_atoms = ?,
        jurisdiction = ?, segments = ? WHERE brand = ? AND player = ?`),
    find: reading(`SELECT ${columns} FROM players WHERE brand = ? AND player = ?`),
    named: reading(`SELECT ${columns} FROM players WHERE player = ? LIMIT 2`),
    list: reading(`SELECT ${columns} FROM players WHERE brand = ? AND player > ? ORDER BY player LIMIT ?`),
    setBalances: database.prepare(
      'UPDATE players SET balance_atoms = ?, bonus_atoms = ? WHERE brand = ? AND player = ?',
    ),
    putToken: database.prepare(`
      INSERT INTO tokens (digest, brand, player, expires_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET
        brand = excluded.brand, player = excluded.player, expires_ms = excluded.expires_ms, revoked = 0`),
    revokeToken: database.prepare('UPDATE tokens SET revoked = 1 WHERE digest = ?'),
    revokeTokensOf: database.prepare('UPDATE tokens SET revoked = 1 WHERE brand = ? AND player = ?'),
    findToken: reading(`
      SELECT ${columns}, expires_ms, revoked FROM tokens JOIN players USING (brand, player) WHERE digest = ?`),
    touchSession: database.prepare(`
      INSERT INTO sessions VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (digest, currency) DO UPDATE SET source = excluded.source, seen_ms = excluded.seen_ms`),
    sessions: reading('SELECT COUNT(*) AS count FROM sessions'),
  };
}

function detailsOf(player: WalletPlayer) {
  const { nickname, gender, country, dateOfBirth, maxBetAtoms, jurisdiction, segments } = player;
  return [nickname, gender, country, dateOfBirth, maxBetAtoms, jurisdiction, JSON.stringify(segments)];
}

function playerOf(row: PlayerRow): WalletPlayer {
  return {
    brand: row.brand,
    player: row.player,
    currency: row.currency,
    balanceAtoms: row.balance_atoms,
    bonusAtoms: row.bonus_atoms,
    nickname: row.nickname,
    gender: row.gender,
    country: row.country,
    dateOfBirth: row.date_of_birth,
    maxBetAtoms: row.max_bet_atoms,
    jurisdiction: row.jurisdiction,
    segments: JSON.parse(row.segments) as string[],
  };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}
