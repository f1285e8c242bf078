import { type Action, authorize } from '../../access/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../access/principal.ts';
import { readScope } from '../../access/read-scope.ts';
import { isWithin } from '../../contracts/identifiers.ts';
import type { ListScope } from '../directory/sorted-page.ts';

/** What a caller sees of a list of owned things, filtered by an owner or not. */
export function listScope<T>(
  principal: AdministratorPrincipal | ServicePrincipal,
  filter: string | undefined,
  ownerOf: (item: T) => string,
  action: Action = 'read',
): ListScope<T> {
  const { operator, isWhole } = readScope(principal, filter, action);
  if (isWhole) return { group: operator, matches: null };
  return {
    group: operator,
    matches: (item) => {
      const owner = ownerOf(item);
      return (
        authorize(principal, action, owner) === 'allowed' && (filter === undefined || isWithin(owner, filter))
      );
    },
  };
}
