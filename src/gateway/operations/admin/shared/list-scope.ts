import type { AdministratorPrincipal } from '../../../../access/principal.ts';
import { isWithin, operatorOf } from '../../../../contracts/identifiers.ts';
import type { ListScope } from '../../../directory/sorted-page.ts';
import { mayRead } from './owner-access.ts';

/** What an administrator sees of a list of owned things, filtered by an owner or not. */
export function listScope<T>(
  principal: AdministratorPrincipal,
  filter: string | undefined,
  ownerOf: (item: T) => string,
): ListScope<T> {
  const group = filter === undefined ? onlyOperator(principal) : operatorOf(filter);
  const seesAll = group === null ? principal.owners.has('*') : mayRead(principal, group);
  if (seesAll && (filter === undefined || filter === group)) return { group, matches: null };
  return {
    group,
    matches: (item) => {
      const owner = ownerOf(item);
      return mayRead(principal, owner) && (filter === undefined || isWithin(owner, filter));
    },
  };
}

function onlyOperator({ owners }: AdministratorPrincipal): string | null {
  const operators = new Set([...owners].map(operatorOf));
  const [first] = operators;
  return operators.size === 1 && first !== undefined && first !== '*' ? first : null;
}
