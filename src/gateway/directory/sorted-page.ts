import { defaultLimit, type ListQuery, matchesName } from '../../contracts/lists.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { SortedMap } from '../../lib/sorted-map.ts';

export type Matches<T> = ((item: T) => boolean) | null;

/** What of a map a list shows. */
export interface ListScope<T> {
  /** The operator whose objects, and whose brands' objects, these are; null: of all operators. */
  readonly group: string | null;
  /** null: all of the group. */
  readonly matches: Matches<T>;
}

/** The page that a query asks for, from an order that is kept (docs/decisions/0207). Others get in between. */
export async function sortedPage<T, F extends string>(
  items: SortedMap<T, F>,
  defaultField: F,
  query: ListQuery & { readonly sort_field?: F | undefined },
  { group, matches }: ListScope<T>,
): Promise<readonly T[]> {
  const limit = query.limit ?? defaultLimit;
  const steps = items.page({
    field: query.sort_field ?? defaultField,
    direction: query.sort_direction ?? 1,
    offset: (query.page ?? 0) * limit,
    limit,
    group,
    matches,
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** Whether an item passes all filters; null: there are none. */
export function allOf<T>(...filters: readonly Matches<T>[]): Matches<T> {
  const some = filters.filter((filter) => filter !== null);
  return some.length === 0 ? null : (item) => some.every((filter) => filter(item));
}

/** The filter by a part of a name; null: there is none. */
export function named<T>(filter: string | undefined, nameOf: (item: T) => string): Matches<T> {
  return filter === undefined ? null : (item) => matchesName(nameOf(item), filter);
}
