import * as z from 'zod';
import { maxInteger } from './configuration-fields.ts';
import { ownIdField } from './identifier-fields.ts';

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

/** As `listQuery`, of a list that goes on behind a row, too (docs/rules/http.md "Lists"). */
export function cursorQuery<const F extends readonly [string, ...string[]], S extends z.ZodRawShape>(
  sortFields: F,
  filters: S,
) {
  return listQuery(sortFields, { ...filters, cursor: z.string().max(maxCursorLength).optional() });
}

/** Names are short, and two of them in UTF-8 fit. */
const maxCursorLength = 4_096;

/** A row by its sort value and what breaks ties. */
export interface ListPosition {
  readonly value: string | number;
  readonly tie: string;
}

interface ListOrder {
  readonly field: string;
  readonly direction: 1 | -1;
}

const cursorShape = z.tuple([
  z.string(),
  z.union([z.literal(1), z.literal(-1)]),
  z.union([z.string(), z.number()]),
  z.string(),
]);

/** The cursor of the rows behind that one. */
export function cursorOf({ field, direction }: ListOrder, { value, tie }: ListPosition): string {
  return Buffer.from(JSON.stringify([field, direction, value, tie])).toString('base64url');
}

/** null: it is none of a list in that order. */
export function positionAt(cursor: string, { field, direction }: ListOrder): ListPosition | null {
  try {
    const read = cursorShape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    const [ofField, ofDirection, value, tie] = read;
    return ofField === field && ofDirection === direction ? { value, tie } : null;
  } catch {
    return null;
  }
}

/** How many items are before the page that a query asks for. */
export function offsetOf({ page = 0, limit: size = defaultLimit }: ListQuery): number {
  // Behind the last item of any list: the product of two integers may be none.
  return Math.min(page * size, Number.MAX_SAFE_INTEGER);
}

/** The filter of a list whose things are operators'. Its name is `owner_id`, as in every list. */
export const operatorFilter = {
  owner_id: ownIdField.optional(),
  /** The same, as it was called. */
  operator_id: ownIdField.optional(),
};

/** A filter by part of a name. */
export const nameFilter = z.string().max(256).optional();

/** The page of the items, sorted by the field and then by the unique key. `items` is not changed. */
export function pageOf<T>(
  items: readonly T[],
  query: ListQuery,
  key: (item: T) => string,
  fields: Readonly<Record<string, (item: T) => string | number>> = {},
  after: ListPosition | null = null,
): { readonly items: readonly T[]; readonly total: number; readonly last: ListPosition | null } {
  const value = (query.sort_field === undefined ? undefined : fields[query.sort_field]) ?? (() => '');
  const sign = query.sort_direction ?? 1;
  const rows = items.map((item) => ({ item, value: value(item), tie: key(item) }));
  const compare = (a: ListPosition, b: ListPosition): number =>
    sign * (order(a.value, b.value) || order(a.tie, b.tie));
  const sorted = rows.sort(compare).filter((row) => after === null || compare(row, after) > 0);
  const from = offsetOf(query);
  const to = from + (query.limit ?? defaultLimit);
  const page = sorted.slice(from, to);
  return {
    items: page.map(({ item }) => item),
    total: items.length,
    last: to < sorted.length ? (page.at(-1) ?? null) : null,
  };
}

/** Whether the filter is a part of the name, in any case; without a filter every name matches. */
export function matchesName(name: string, filter: string | undefined): boolean {
  return filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
}

/** A body of at most 1,000 things to make or remove; more is 413 (docs/rules/http.md "Limits"). */
export function batchOf<S extends z.ZodType>(item: S) {
  return z.array(item).min(1).max(1000, 'payload_too_large');
}

function order<V extends string | number>(a: V, b: V): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
