import type { AdministratorRole, ServiceRight } from '../../contracts/accounts/users.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { AdministratorPrincipal, Principal, ServicePrincipal } from './principal.ts';

/** A permission. Each operation names the one that it needs. */
export type Action =
  | 'read'
  /** Operators, brands, sources, segments, templates, instances and their bindings. */
  | 'configure'
  /** Status of an instance, brands allowed on it. */
  | 'operate'
  /** A player's opt-ins. */
  | 'opt_in'
  /** Everything that moves money or prices it: pot values, triggers, contributions by hand, rates. */
  | 'move_money'
  | 'decrease_pot'
  /** Users, service users, wallets' secrets, origins. */
  | 'secure'
  /** Cross-origin rules. */
  | 'origins'
  /** Addresses that are sent events. */
  | 'subscribe'
  /** The audit trail. */
  | 'audit'
  /** Lanes and the hosts that they are on: of the whole system only. */
  | 'run'
  /** Contributions, lookups and opt-ins of a service: the operator surface. */
  | 'contribute'
  /** The secret that signs a service's webhooks. */
  | 'sign'
  /** Reports about players of a service's brands. */
  | 'report';

export type Permission = 'allowed' | 'forbidden' | 'foreign';

/** The owner of system-wide things: the list of operators, the system's rates. */
export const system = '';

const actionsOfRole: Readonly<Record<AdministratorRole, readonly Action[]>> = {
  viewer: ['read'],
  support: ['read', 'opt_in'],
  config: ['read', 'configure', 'operate', 'opt_in'],
  finance: ['read', 'move_money', 'decrease_pot'],
  security: ['read', 'secure', 'origins', 'subscribe', 'audit'],
  auditor: ['read', 'audit'],
  operations: ['read', 'run'],
};

/**
 * Decides whether a caller may do `action` to something of `owner`: an operator's id, a brand path or
 * `system` (docs/rules/http.md "Callers"). `foreign` is answered as a missing thing is, `forbidden` with 403.
 */
export function authorize(principal: Principal, action: Action, owner: string): Permission {
  switch (principal.kind) {
    case 'anonymous':
      return action === 'read' ? 'allowed' : 'forbidden';
    case 'service':
      return serviceDecision(principal, action, owner);
    case 'administrator': {
      const { approver } = principal;
      const approved = approver === undefined ? 'allowed' : authorize(approver, action, owner);
      if (approved !== 'allowed') return approved;
      if (!mayEver(principal, action)) return 'forbidden';
      return ownsIt(principal.owners, owner) ? 'allowed' : 'foreign';
    }
  }
}

/** Whether one of the administrator's roles allows the action for any owner. */
export function mayEver(principal: Pick<AdministratorPrincipal, 'roles'>, action: Action): boolean {
  for (const role of principal.roles) if (actionsOfRole[role].includes(action)) return true;
  return false;
}

/** The owners by which a lane filters what an administrator sees; empty: it sees those of every owner. */
export function visibleOwners({ owners }: AdministratorPrincipal): readonly string[] {
  return owners.has('*') ? [] : [...owners];
}

/** Whether a service acts for all brands of its operator, those to come included. */
export function actsForAllBrands({ brands }: ServicePrincipal): boolean {
  return brands === null;
}

const actionsOfServices: ReadonlySet<Action> = new Set<Action>(['contribute', 'read', 'opt_in', 'sign']);

/** Whether a service has the right to subscribe addresses to events of its operator, or of brands of it. */
export function mayEverSubscribe({ rights }: ServicePrincipal): boolean {
  return rights?.has('webhooks' satisfies ServiceRight) === true;
}

/**
 * Whether the caller may have a subscription of these brands; null: of all. A service needs each of them, an
 * administrator the operator.
 */
export function maySubscribe(
  principal: ServicePrincipal | AdministratorPrincipal,
  operator: string,
  brands: readonly string[] | null,
): boolean {
  const owners = principal.kind === 'service' ? (brands ?? [operator]) : [operator];
  return owners.every((owner) => authorize(principal, 'subscribe', owner) === 'allowed');
}

/** The caller's only operator; undefined: there are several, or all. */
export function operatorAlone(principal: ServicePrincipal | AdministratorPrincipal): string | undefined {
  return principal.kind === 'service' ? principal.operator : onlyOperatorOf(principal.owners);
}

/** The operator of all these owners of an administrator; undefined: there are several, or all. */
export function onlyOperatorOf(owners: Iterable<string>): string | undefined {
  const [first, ...more] = new Set([...owners].map(operatorOf));
  return more.length === 0 && first !== '*' ? first : undefined;
}

/** What a service may do that was given the right to. */
const rightOf: Partial<Record<Action, ServiceRight>> = {
  origins: 'cors',
  report: 'reports',
  subscribe: 'webhooks',
};

function serviceDecision(principal: ServicePrincipal, action: Action, owner: string): Permission {
  const { operator, brands, rights } = principal;
  const right = rightOf[action];
  const isAllowed = right === undefined ? actionsOfServices.has(action) : rights?.has(right) === true;
  if (!isAllowed) return 'forbidden';
  if (operatorOf(owner) !== operator) return 'foreign';
  // Rules of origins are the whole operator's.
  if (right === 'cors') return 'allowed';
  if (brands === null || brands.has(owner)) return 'allowed';
  // What an operator has in common is there for the services of its brands, but not theirs to replace.
  return owner === operator && action !== 'sign' && action !== 'subscribe' ? 'allowed' : 'forbidden';
}

function ownsIt(owners: ReadonlySet<string>, owner: string): boolean {
  return owners.has('*') || (owner !== system && (owners.has(owner) || owners.has(operatorOf(owner))));
}
