import { type Action, authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../access/rights/principal.ts';
import { readScope } from '../../../access/rights/read-scope.ts';
import { isWithin } from '../../../contracts/fields/identifiers.ts';
import {
  cursorOf,
  type ListPosition,
  type ListQuery,
  pageOf,
  positionAt,
} from '../../../contracts/fields/lists.ts';
import {
  countedPage,
  type ListScope,
  maxCountedRows,
  type Narrowed,
  named,
} from '../../../directory/sorted-page.ts';
import type { SortedMap } from '../../../lib/sorted/sorted-map.ts';
import type { CountedPage } from '../../../lib/sorted/sorted-order.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { requireOwner } from './admin/shared/owner-access.ts';

/** What a caller sees of a list of owned things, filtered by an owner or not. */
export function listScope<T>(
  principal: AdministratorPrincipal | ServicePrincipal,
  filter: string | undefined,
  ownerOf: (item: T) => string,
  action: Action = 'read',
): ListScope<T> {
  const { group, isWhole } = readScope(principal, filter, action);
  if (isWhole) return { group, matches: null };
  // Many things have the same owner.
  const decided = new Map<string, boolean>();
  return {
    group,
    matches: (item) => {
      const owner = ownerOf(item);
      let isShown = decided.get(owner);
      if (isShown === undefined) {
        isShown =
          authorize(principal, action, owner) === 'allowed' &&
          (filter === undefined || isWithin(owner, filter));
        decided.set(owner, isShown);
      }
      return isShown;
    },
  };
}

/** What `operatorFilter` names, by either name. @throws PublicError where they name two */
export function operatorIn({
  owner_id: owner,
  operator_id: operator,
}: {
  readonly owner_id?: string | undefined;
  readonly operator_id?: string | undefined;
}): string | undefined {
  if (owner !== undefined && operator !== undefined && owner !== operator)
    throw new PublicError('invalid_parameter', 'owner_id and operator_id name the same operator.');
  return owner ?? operator;
}

interface OwnedPage<T> {
  /** By which the list is filtered; undefined: it is not. */
  readonly owner: string | undefined;
  readonly ownerOf: (item: T) => string;
  readonly action?: Action;
  /** Part of a name. */
  readonly name?: string | undefined;
}

/** A page of owned things that an administrator may see. @throws PublicError for its owner */
export async function ownedPage<T, F extends string>(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  items: SortedMap<T, F>,
  defaultField: F,
  query: CursorQuery<F>,
  { owner, ownerOf, action = 'read', name }: OwnedPage<T>,
): Promise<Listed<T>> {
  if (owner !== undefined) requireOwner(context, principal, action, owner);
  const scope = listScope(principal, owner, ownerOf, action);
  return listed(items, defaultField, query, { ...scope, text: named(name) });
}

type CursorQuery<F extends string> = ListQuery & {
  readonly sort_field?: F | undefined;
  readonly cursor?: string | undefined;
};

/** A page with the headers that say how many rows there are and where it goes on. */
export interface Listed<T> {
  readonly page: readonly T[];
  readonly headers: readonly string[];
}

/** What an operation says of an answer of `listed`. */
export const listHeaders = ['X-Next-Cursor', 'X-Total-Count'] as const;

/** The page that a query asks for by number or by cursor, from an order that is kept. @throws PublicError */
export async function listed<T, F extends string>(
  items: SortedMap<T, F>,
  defaultField: F,
  query: CursorQuery<F>,
  narrowed: Narrowed<T, F>,
): Promise<Listed<T>> {
  return listedBy(defaultField, query, (after) =>
    countedPage(items, defaultField, query, { ...narrowed, after }),
  );
}

/** The same of items that the gateway has just gathered: `byKey` and `fields` as of `pageOf`. */
export async function listedItems<T, F extends string>(
  items: readonly T[],
  defaultField: F,
  query: CursorQuery<F>,
  byKey: (item: T) => string,
  fields: Readonly<Record<string, (item: T) => string | number>> = {},
): Promise<Listed<T>> {
  const sorted = { ...query, sort_field: query.sort_field ?? defaultField };
  return listedBy(defaultField, query, async (after) => pageOf(items, sorted, byKey, fields, after));
}

type FoundPage<T> = Pick<CountedPage<T>, 'items' | 'last'> & {
  /** null: it is not known. */
  readonly total: number | null;
};

/** The same of items that `read` finds: those behind a row, or from the first one on. */
export async function listedBy<T>(
  defaultField: string,
  { cursor, page, sort_field: field = defaultField, sort_direction: direction = 1 }: CursorQuery<string>,
  read: (after: ListPosition | null) => Promise<FoundPage<T>>,
): Promise<Listed<T>> {
  const order = { field, direction };
  const after = cursor === undefined ? null : positionAt(cursor, order);
  if (cursor !== undefined && after === null)
    throw new PublicError('invalid_parameter', 'cursor is none of this list.');
  if (after !== null && page !== undefined)
    throw new PublicError('invalid_parameter', 'A page has a number or a cursor.');
  const { items, total, last } = await read(after);
  const isFirst = after === null && (page ?? 0) === 0;
  const headers = [
    ...(isFirst && total !== null ? totalHeader(total) : []),
    ...(last === null ? [] : ['x-next-cursor', cursorOf(order, last)]),
  ];
  return { page: items, headers };
}

/** The number of a row, in a list where rows have one. @throws PublicError for a position of another list */
export function integerIn({ value }: ListPosition): number {
  if (!Number.isSafeInteger(value))
    throw new PublicError('invalid_parameter', 'cursor is none of this list.');
  return value as number;
}

function totalHeader(total: number): readonly string[] {
  return ['x-total-count', total > maxCountedRows ? `${maxCountedRows}+` : String(total)];
}

/** The header of a list that lacks, or has only an old state of, what lives in lanes that do not serve. */
export function incompleteHeaders({ directory }: GatewayContext): readonly string[] {
  const missing = directory.conditions.missing();
  return missing.length === 0 ? [] : ['x-incomplete', `lanes ${missing.join(',')}`];
}
