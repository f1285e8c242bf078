import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import { type Action, authorize, system } from './authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from './principal.ts';

/** Where a list looks for what a caller may read. */
interface ReadScope {
  /** The operator (its brands included) or the brand that owns all of these; null: any operator. */
  readonly group: string | null;
  /** The caller may read all of these and asked for all: the list need not check each owner. */
  readonly isWhole: boolean;
}

/** Where to look for what the caller may do `action` to, of one owner or all; `authorize` decides. */
export function readScope(
  principal: AdministratorPrincipal | ServicePrincipal,
  owner: string | undefined,
  action: Action = 'read',
): ReadScope {
  const brand = owner ?? onlyOwner(principal);
  if (brand !== null && brandOf(brand) !== null && authorize(principal, action, brand) === 'allowed')
    return { group: brand, isWhole: true };
  const operator = owner === undefined ? onlyOperator(principal) : operatorOf(owner);
  if (operator === null)
    return { group: operator, isWhole: authorize(principal, action, system) === 'allowed' };
  const isAsked = owner === undefined || owner === operator;
  const readsBrands = principal.kind === 'administrator' || principal.brands === null;
  return {
    group: operator,
    isWhole: isAsked && readsBrands && authorize(principal, action, operator) === 'allowed',
  };
}

/** The owner of an administrator who has only one. */
function onlyOwner(principal: AdministratorPrincipal | ServicePrincipal): string | null {
  if (principal.kind === 'service' || principal.owners.size !== 1) return null;
  const [owner = null] = principal.owners;
  return owner;
}

function onlyOperator(principal: AdministratorPrincipal | ServicePrincipal): string | null {
  if (principal.kind === 'service') return principal.operator;
  const [first, ...others] = operatorsOf(principal.owners);
  return first === undefined || others.length > 0 ? null : first;
}

/** The operators that an administrator's owners belong to; none for the whole system's administrators. */
export function operatorsOf(owners: ReadonlySet<string>): string[] {
  return owners.has('*') ? [] : [...new Set([...owners].map(operatorOf))];
}

/** Whose players a caller reads about. */
interface ShownPlayers {
  /** Operators with all their brands, those to come included. */
  readonly operators: readonly string[];
  /** Brands of other operators. */
  readonly brands: readonly string[];
}

/** null: everybody's. */
export function shownPlayers(principal: AdministratorPrincipal | ServicePrincipal): ShownPlayers | null {
  if (principal.kind === 'service') {
    const { operator, brands } = principal;
    return brands === null ? { operators: [operator], brands: [] } : { operators: [], brands: [...brands] };
  }
  if (principal.owners.has('*')) return null;
  const owners = [...principal.owners];
  const operators = owners.filter((owner) => brandOf(owner) === null);
  const brands = owners.filter((owner) => brandOf(owner) !== null && !operators.includes(operatorOf(owner)));
  return { operators, brands };
}
