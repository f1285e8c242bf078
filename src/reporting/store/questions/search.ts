import type { BooksTable, RowOf } from '../../base/tables.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, selectRows } from './select.ts';
import { sumsBy } from './sums.ts';

/** Hits of one kind: who has more asks for the list. */
const maxHits = 20;

/** Where a text was found. */
interface SearchHits {
  readonly contributions: readonly RowOf<'contributions'>[];
  readonly payments: readonly RowOf<'payments'>[];
  readonly wins: readonly RowOf<'wins'>[];
  /** Each player once. */
  readonly players: readonly { readonly brand: string; readonly player: string }[];
}

/**
 * What has the text as its whole id: contribution, game round, transaction, batch or player. `where`: the
 * operators and brands whose things are found.
 */
export async function search(
  store: BooksStore,
  text: string,
  where: readonly Condition[],
): Promise<SearchHits> {
  const hits = async <T extends BooksTable>(
    name: T,
    columns: readonly string[],
    order: readonly string[],
  ): Promise<readonly RowOf<T>[]> => {
    const found: RowOf<T>[] = [];
    // One index each: together they would be a search of the whole table.
    for (const column of columns) {
      const is = { column, is: '=', value: text } as const;
      found.push(...(await selectRows(store, name, { where: [is, ...where], order, limit: maxHits })));
    }
    return found.slice(0, maxHits);
  };
  const is: Condition = { column: 'player', is: '=', value: text };
  const [contributions, payments, wins, days] = await Promise.all([
    hits('contributions', ['contribution_id', 'gameround'], ['time']),
    hits('payments', ['transaction_id', 'batch_id', 'contribution_id'], ['opened']),
    hits('wins', ['transaction_id', 'contribution_id'], ['time']),
    sumsBy(store, 'daily_players', ['brand', 'player'], ['contributions'], [is, ...where], {
      after: null,
      limit: maxHits,
    }),
  ]);
  const players = days.map(({ group: { brand = '', player = '' } }) => ({ brand, player }));
  return { contributions, payments, wins, players };
}
