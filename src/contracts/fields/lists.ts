import * as z from 'zod';
import { maxInteger } from './configuration-fields.ts';

/** Inputs of lists (docs/rules/http.md "Lists"): page from 0, limit 1 to 500 (50), sort_direction 1 or -1. */
export const defaultLimit = 50;

/** An integer in a path or query, up to 2^53 − 1. */
export const wholeNumber = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,15})$/)
  .refine((text) => Number(text) <= Number.MAX_SAFE_INTEGER)
  .transform(Number);
const integer = wholeNumber.refine((value) => value <= maxInteger);
export const pageNumber = integer.optional();
const limit = z
  .string()
  .regex(/^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$/)
  .transform(Number)
  .optional();
/** The limit of A19, which may ask for nothing. */
export const limitFromZero = z
  .string()
  .regex(/^(?:0|[1-9][0-9]?|[1-4][0-9]{2}|500)$/)
  .transform(Number)
  .optional();
const direction = z
  .enum(['1', '-1'])
  .transform((text) => (text === '1' ? (1 as const) : (-1 as const)))
  .optional();

export interface ListQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort_direction?: 1 | -1 | undefined;
  readonly sort_field?: string | undefined;
}

/** The query of a list: page, order by one of the fields (the first by default), filters. */
export function listQuery<const F extends readonly [string, ...string[]], S extends z.ZodRawShape>(
  sortFields: F,
  filters: S,
) {
  return z.strictObject({
    ...filters,
    page: pageNumber,
    limit,
    sort_direction: direction,
    sort_field: z.enum(sortFields).optional(),
  });
}

/** How many items are before the page that a query asks for. */
export function offsetOf({ page = 0, limit: size = defaultLimit }: ListQuery): number {
  // Behind the last item of any list: the product of two integers may be none.
  return Math.min(page * size, Number.MAX_SAFE_INTEGER);
}

/** A filter by part of a name. */
export const nameFilter = z.string().max(256).optional();

/** The page of the items, sorted by the field and then by the unique key. `items` is not changed. */
export function pageOf<T>(
  items: readonly T[],
  query: ListQuery,
  key: (item: T) => string,
  fields: Readonly<Record<string, (item: T) => string | number | boolean>> = {},
): T[] {
  const value = query.sort_field === undefined ? undefined : fields[query.sort_field];
  const sign = query.sort_direction ?? 1;
  const sorted = [...items].sort(
    (a, b) => sign * ((value === undefined ? 0 : order(value(a), value(b))) || order(key(a), key(b))),
  );
  const from = offsetOf(query);
  return sorted.slice(from, from + (query.limit ?? defaultLimit));
}

/** Whether the filter is a part of the name, in any case; without a filter every name matches. */
export function matchesName(name: string, filter: string | undefined): boolean {
  return filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
}

/** A body of at most 1,000 things to make or remove; more is 413 (docs/rules/http.md "Limits"). */
export function batchOf<S extends z.ZodType>(item: S) {
  return z.array(item).min(1).max(1000, 'payload_too_large');
}

function order<V extends string | number | boolean>(a: V, b: V): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
