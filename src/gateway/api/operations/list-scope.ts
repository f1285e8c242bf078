import { type Action, authorize } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../access/rights/principal.ts';
import { readScope } from '../../../access/rights/read-scope.ts';
import { isWithin } from '../../../contracts/fields/identifiers.ts';
import type { ListScope } from '../../../directory/sorted-page.ts';

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
