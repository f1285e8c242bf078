import type { BooksTable, RowOf } from '../../base/tables.ts';
import type { BooksStore } from '../store.ts';
import { type Condition, type Scalar, selectRows } from './select.ts';
import { sumsBy } from './sums.ts';

/** Hits of one kind: who has more asks for the list. */
const maxHits = 20;

/** Where a text was found. */
interface SearchHits {
  readonly contributions: readonly RowOf<'contributions'>[];
  readonly payments: readonly RowOf<'payments'>[];
  readonly instances: readonly RowOf<'instances'>[];
  /** Each player once. */
  readonly players: readonly { readonly brand: string; readonly player: string }[];
}

/** Whose things are found. Empty `operators`: everybody's; empty `brands`: those of all brands. */
interface SearchScope {
  readonly operators: readonly string[];
  readonly brands: readonly string[];
}

/** What has the text as its whole id: contribution, game round, transaction, batch, player or instance. */
export async function search(store: BooksStore, text: string, scope: SearchScope): Promise<SearchHits> {
  const owned = scopeOf(scope);
  const ofOperators = owned.filter(({ column }) => column === 'operator');
  const hits = async <T extends BooksTable>(
    name: T,
    columns: readonly string[],
    where: readonly Condition[],
    order: readonly string[],
  ): Promise<readonly RowOf<T>[]> => {
    const found: RowOf<T>[] = [];
    // One index each: together they would be a search of the whole table.
    for (const column of columns) {
      const is = { column, is: '=', value: text as Scalar } as const;
      found.push(...(await selectRows(store, name, { where: [is, ...where], order, limit: maxHits })));
    }
    return found.slice(0, maxHits);
  };
  const [contributions, payments, instances, days] = await Promise.all([
    hits('contributions', ['contribution_id', 'gameround'], owned, ['time']),
    hits('payments', ['transaction_id', 'batch_id'], owned, ['opened']),
    hits('instances', ['instance'], ofOperators, []),
    sumsBy(
      store,
      'daily_players',
      ['brand', 'player'],
      ['contributions'],
      [{ column: 'player', is: '=', value: text }, ...owned],
    ),
  ]);
  const players = days.slice(0, maxHits).map(({ group: { brand = '', player = '' } }) => ({ brand, player }));
  return { contributions, payments, instances, players };
}

function scopeOf({ operators, brands }: SearchScope): readonly Condition[] {
  return [
    ...(operators.length === 0 ? [] : [{ column: 'operator', is: 'in', value: operators } as const]),
    ...(brands.length === 0 ? [] : [{ column: 'brand', is: 'in', value: brands } as const]),
  ];
}
