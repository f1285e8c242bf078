import { type Action, authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../access/rights/principal.ts';
import { readScope } from '../../../access/rights/read-scope.ts';
import { isWithin } from '../../../contracts/fields/identifiers.ts';
import type { ListQuery } from '../../../contracts/fields/lists.ts';
import { type ListScope, named, sortedPage } from '../../../directory/sorted-page.ts';
import type { SortedMap } from '../../../lib/sorted/sorted-map.ts';
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
  query: ListQuery & { readonly sort_field?: F | undefined },
  { owner, ownerOf, action = 'read', name }: OwnedPage<T>,
): Promise<readonly T[]> {
  if (owner !== undefined) requireOwner(context, principal, action, owner);
  const scope = listScope(principal, owner, ownerOf, action);
  return sortedPage(items, defaultField, query, { ...scope, text: named(name) });
}

/** The header of a list that lacks, or has only an old state of, what lives in lanes that do not serve. */
export function incompleteHeaders({ directory }: GatewayContext): readonly string[] {
  const missing = directory.conditions.missing();
  return missing.length === 0 ? [] : ['x-incomplete', `lanes ${missing.join(',')}`];
}
