import { defaultLimit, type ListPosition, type ListQuery, offsetOf } from '../contracts/fields/lists.ts';
import type { PageRequest, SortedMap } from '../lib/sorted/sorted-map.ts';
import type { CountedPage } from '../lib/sorted/sorted-order.ts';
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

/** Rows of a list that are counted; more are `10000+`. */
export const maxCountedRows = 10_000;

/** Filters that an order finds what they leave out by, without a look at each item. */
export interface Narrowed<T, F extends string>
  extends ListScope<T>,
    Pick<PageRequest<T, F>, 'equal' | 'text'> {}

/** The page that a query asks for, from an order that is kept (docs/decisions/0207). */
export async function sortedPage<T, F extends string>(
  items: SortedMap<T, F>,
  defaultField: F,
  query: ListQuery & { readonly sort_field?: F | undefined },
  narrowed: Narrowed<T, F>,
): Promise<readonly T[]> {
  return finishInTurns(items.page(requestOf(defaultField, query, narrowed)));
}

/** The same, or the rows behind one, with what lies around it. The rows are counted with the first page. */
export async function countedPage<T, F extends string>(
  items: SortedMap<T, F>,
  defaultField: F,
  query: ListQuery & { readonly sort_field?: F | undefined },
  { after, ...narrowed }: Narrowed<T, F> & { readonly after: ListPosition | null },
): Promise<CountedPage<T>> {
  const request = requestOf(defaultField, query, narrowed);
  const countsTo = after === null && request.offset === 0 ? maxCountedRows : 0;
  return finishInTurns(items.countedPage({ ...request, after, countsTo }));
}

function requestOf<T, F extends string>(
  defaultField: F,
  query: ListQuery & { readonly sort_field?: F | undefined },
  { group, matches, equal = null, text = null }: Narrowed<T, F>,
): PageRequest<T, F> {
  return {
    field: query.sort_field ?? defaultField,
    direction: query.sort_direction ?? 1,
    offset: offsetOf(query),
    limit: query.limit ?? defaultLimit,
    group,
    matches,
    equal,
    text,
  };
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
