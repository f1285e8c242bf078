import { defaultLimit, type ListQuery, offsetOf } from '../contracts/fields/lists.ts';
import type { PageRequest, SortedMap } from '../lib/sorted/sorted-map.ts';
import { TextFilter } from '../lib/sorted/sorted-row.ts';
import { finishInTurns } from '../lib/turns.ts';

export type Matches<T> = ((item: T) => boolean) | null;

/** What of a map a list shows. */
export interface ListScope<T> {
  /** The operator (with its brands) or brand that owns these; null: all operators. */
  readonly group: string | null;
  /** null: all of the group. */
  readonly matches: Matches<T>;
}

/** Filters that an order finds what they leave out by, without a look at each item. */
interface Narrowed<T, F extends string> extends ListScope<T>, Pick<PageRequest<T, F>, 'equal' | 'text'> {}

/** The page that a query asks for, from an order that is kept (docs/decisions/0207). */
export async function sortedPage<T, F extends string>(
  items: SortedMap<T, F>,
  defaultField: F,
  query: ListQuery & { readonly sort_field?: F | undefined },
  { group, matches, equal = null, text = null }: Narrowed<T, F>,
): Promise<readonly T[]> {
  const limit = query.limit ?? defaultLimit;
  const steps = items.page({
    field: query.sort_field ?? defaultField,
    direction: query.sort_direction ?? 1,
    offset: offsetOf(query),
    limit,
    group,
    matches,
    equal,
    text,
  });
  return finishInTurns(steps);
}

/** Whether an item passes all filters; null: there are none. */
export function allOf<T>(...filters: readonly Matches<T>[]): Matches<T> {
  const some = filters.filter((filter) => filter !== null);
  return some.length === 0 ? null : (item) => some.every((filter) => filter(item));
}

/** The filter by a part of a name, in any case; null: every name passes. */
export function named(part: string | undefined): TextFilter | null {
  return part === undefined || part === '' ? null : new TextFilter(part);
}
