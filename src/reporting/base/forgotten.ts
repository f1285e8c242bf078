import { forgottenPseudonym } from '../../contracts/directory/forgotten-players.ts';
import type { LaneBatch } from './lane-batch.ts';
import { type BooksTable, type TableShape, tables } from './tables.ts';

/** A player whose id the books must not have. */
export interface ForgottenPlayer {
  readonly pseudonym: string;
  readonly brand: string;
  readonly since: number;
}

/** Everybody who is to be forgotten, and the key by which they are known again. */
export interface ForgottenPlayers {
  readonly salt: Uint8Array;
  readonly players: readonly ForgottenPlayer[];
}

/** Tables with the id of a player, always beside the player's brand. */
export const tablesOfPersons = (Object.keys(tables) as BooksTable[]).filter((name) =>
  Object.values((tables[name] as TableShape).columns).some(({ isPerson }) => isPerson),
);

/** Columns of a table that are emptied with the id: what a request said of the player. */
export function emptiedColumns(name: BooksTable): readonly string[] {
  return Object.entries((tables[name] as TableShape).columns)
    .filter(([, { isOfPerson }]) => isOfPerson)
    .map(([column]) => column);
}

interface PersonRow {
  readonly brand: string | null;
  readonly player: string | null;
}

/** Keeps the ids of forgotten players out of what is written. */
export class Forgetting {
  readonly #salt: Uint8Array;
  readonly #pseudonyms: ReadonlySet<string>;
  readonly #brands: ReadonlySet<string>;

  constructor({ salt, players }: ForgottenPlayers) {
    this.#salt = salt;
    this.#pseudonyms = new Set(players.map(({ pseudonym }) => pseudonym));
    this.#brands = new Set(players.map(({ brand }) => brand));
  }

  /** How many there are: the database says whether they are all. */
  get count(): number {
    return this.#pseudonyms.size;
  }

  /** What stands for the player; null: the player is not forgotten. */
  pseudonym(brand: string | null, player: string | null): string | null {
    if (brand === null || player === null || !this.#brands.has(brand)) return null;
    const pseudonym = forgottenPseudonym(this.#salt, brand, player);
    return this.#pseudonyms.has(pseudonym) ? pseudonym : null;
  }

  applied(batch: LaneBatch): LaneBatch {
    if (this.count === 0) return batch;
    const rows = Object.fromEntries(
      Object.entries(batch.rows).map(([name, each]) => [
        name,
        (each as readonly object[]).map((row) => this.#row(name as BooksTable, row)),
      ]),
    );
    return { ...batch, rows, players: batch.players.map((change) => this.#row('daily_players', change)) };
  }

  #row<R extends object>(name: BooksTable, row: R): R {
    const { brand = null, player = null } = row as Partial<PersonRow>;
    const pseudonym = this.pseudonym(brand, player);
    if (pseudonym === null) return row;
    const emptied = Object.fromEntries(emptiedColumns(name).map((column) => [column, null]));
    return { ...row, ...emptied, player: pseudonym };
  }
}
