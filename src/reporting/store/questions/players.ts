import type { BooksStore } from '../store.ts';
import type { Condition } from './select.ts';
import { type GroupSums, sumsBy } from './sums.ts';

const summed = ['contributions', 'contributed', 'player_part', 'wins', 'won'] as const;

/** What a player did in each instance, from and to a day, both included; null: without an end. */
export function playerTotals(
  store: BooksStore,
  brand: string,
  player: string,
  from: string | null,
  to: string | null,
): Promise<readonly GroupSums[]> {
  const where: readonly Condition[] = [
    { column: 'brand', is: '=', value: brand },
    { column: 'player', is: '=', value: player },
    ...(from === null ? [] : [{ column: 'day', is: '>=', value: from } as const]),
    ...(to === null ? [] : [{ column: 'day', is: '<=', value: to } as const]),
  ];
  return sumsBy(store, 'daily_players', ['instance', 'currency'], summed, where);
}
