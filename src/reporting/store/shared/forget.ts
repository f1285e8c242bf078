import { toHex } from '../../../lib/bytes.ts';
import {
  emptiedColumns,
  Forgetting,
  type ForgottenPlayer,
  type ForgottenPlayers,
  tablesOfPersons,
} from '../../base/forgotten.ts';
import type { BooksTable } from '../../base/tables.ts';
import { Parameters } from '../questions/select.ts';
import { readRow, selectedColumns } from '../reading.ts';
import type { BooksStore } from '../store.ts';
import { factChange, readFact } from './facts.ts';
import type { AnyRow } from './rows.ts';
import { sqlName } from './schema.ts';

/** A statement within the transaction that forgets, and the rows that it gives. */
interface ForgetStep {
  readonly text: string;
  readonly values: readonly unknown[];
}
type ForgetSteps<T> = Generator<ForgetStep, T, readonly AnyRow[]>;

/** Where players are looked for: by an index, a player of another table is in one of these, too. */
const indexed: readonly BooksTable[] = [
  ...(['daily_players', 'contributions', 'wins', 'tickets'] as const),
  ...(['payments', 'opt_ins', 'opt_in_changes'] as const),
];
const pagePlayers = 10_000;

/** The players whom these books have forgotten. */
async function forgottenIn(
  store: Pick<BooksStore, 'dialect' | 'prefix' | 'select'>,
): Promise<ForgottenPlayers> {
  const salt = ((await readFact(store, 'forgotten_salt')) ?? '') as string;
  const players = await store.select(
    `SELECT ${selectedColumns(store.dialect, 'forgotten')} FROM ${store.prefix}"forgotten"`,
    [],
  );
  return {
    salt: Buffer.from(salt, 'hex'),
    players: players.map((row) => readRow('forgotten', store.dialect, row)),
  };
}

/** Keeps the players in mind whom the books have forgotten, until there are more. */
export class ForgottenInBooks {
  readonly #store: Pick<BooksStore, 'dialect' | 'prefix' | 'select'>;
  /** null: to be read. */
  #forgetting: Forgetting | null = null;

  constructor(store: Pick<BooksStore, 'dialect' | 'prefix' | 'select'>) {
    this.#store = store;
  }

  /** Writes without their ids; a try that is given fewer players than are in force gives false. */
  async write(attempt: (forgetting: Forgetting) => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      this.#forgetting ??= new Forgetting(await forgottenIn(this.#store));
      if (await attempt(this.#forgetting)) return;
      this.#forgetting = null;
    }
  }

  /** Whether the books have forgotten all of these. */
  async hasAll({ players }: ForgottenPlayers): Promise<boolean> {
    const known = new Set((await forgottenIn(this.#store)).players.map(({ pseudonym }) => pseudonym));
    return players.every(({ pseudonym }) => known.has(pseudonym));
  }
}

/**
 * Replaces the ids of new players of the list in every row, and notes that they are in force: a writer that
 * knows fewer is fenced. One transaction, in which no other writes.
 */
export function* forgetPlayers(
  store: Pick<BooksStore, 'dialect' | 'prefix'>,
  { salt, players }: ForgottenPlayers,
): ForgetSteps<readonly ForgottenPlayer[]> {
  const text = `SELECT "pseudonym" FROM ${store.prefix}"forgotten"`;
  const rows: readonly AnyRow[] = yield { text, values: [] };
  const known = new Set(rows.map(({ pseudonym }) => String(pseudonym)));
  const added = players.filter(({ pseudonym }) => !known.has(pseudonym));
  const forgetting = new Forgetting({ salt, players: added });
  for (const brand of new Set(added.map((player) => player.brand)))
    for (const table of indexed) yield* replaceIn(store, forgetting, brand, table);
  for (const player of added) yield insertion(store, player);
  yield factChange(store, 'forgotten_salt', toHex(salt));
  yield factChange(store, 'forgotten', known.size + added.length);
  return added;
}

/** Players are found by their hashes, table by table: no list has their ids. */
function* replaceIn(
  store: Pick<BooksStore, 'dialect' | 'prefix'>,
  forgetting: Forgetting,
  brand: string,
  table: BooksTable,
): ForgetSteps<void> {
  for (let last = ''; ; ) {
    const parameters = new Parameters(store, table);
    const conditions = [
      parameters.condition({ column: 'brand', is: '=', value: brand }),
      parameters.condition({ column: 'player', is: '>', value: last }),
    ];
    const text = `SELECT DISTINCT "player" FROM ${store.prefix}${sqlName(table)}${parameters.where(conditions)} ORDER BY "player" LIMIT ${pagePlayers}`;
    const page: readonly AnyRow[] = yield { text, values: parameters.values };
    for (const { player } of page) {
      const pseudonym = forgetting.pseudonym(brand, String(player));
      if (pseudonym === null) continue;
      for (const each of tablesOfPersons) yield replacement(store, each, brand, String(player), pseudonym);
    }
    if (page.length < pagePlayers) return;
    last = String(page.at(-1)?.player);
  }
}

function replacement(
  store: Pick<BooksStore, 'dialect' | 'prefix'>,
  table: BooksTable,
  brand: string,
  player: string,
  pseudonym: string,
): ForgetStep {
  const parameters = new Parameters(store, table);
  const changes = [
    `"player" = ${parameters.bind('player', pseudonym)}`,
    ...emptiedColumns(table).map((column) => `${sqlName(column)} = NULL`),
  ];
  const conditions = [
    parameters.condition({ column: 'brand', is: '=', value: brand }),
    parameters.condition({ column: 'player', is: '=', value: player }),
  ];
  const text = `UPDATE ${store.prefix}${sqlName(table)} SET ${changes.join(', ')}${parameters.where(conditions)}`;
  return { text, values: parameters.values };
}

function insertion(
  store: Pick<BooksStore, 'dialect' | 'prefix'>,
  { pseudonym, brand, since }: ForgottenPlayer,
): ForgetStep {
  const parameters = new Parameters(store, 'forgotten');
  const values = [
    parameters.bind('pseudonym', pseudonym),
    parameters.bind('brand', brand),
    parameters.bind('since', since),
  ];
  const text = `INSERT INTO ${store.prefix}"forgotten" ("pseudonym", "brand", "since") VALUES (${values.join(', ')})`;
  return { text, values: parameters.values };
}
