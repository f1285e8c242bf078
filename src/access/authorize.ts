import { operatorOf } from '../contracts/identifiers.ts';
import type { AdministratorPrincipal, Principal, Role } from './principal.ts';

/** What a caller may be allowed to do. An operation names the one that it needs. */
export type Action =
  | 'read'
  /** Operators, brands, sources, segments, templates, instances and their bindings. */
  | 'configure'
  /** Status of an instance, brands allowed on it. */
  | 'operate'
  /** A player's opt-ins. */
  | 'opt_in'
  /** Everything that moves money or sets the price of it: pot values, triggers, contributions by hand, rates. */
  | 'move_money'
  | 'decrease_pot'
  /** Users, service users, wallets' secrets, origins. */
  | 'secure'
  | 'audit'
  /** A service's contribution, lookup, opt-in: what the operator surface does. */
  | 'contribute';

export type Decision = 'allowed' | 'forbidden' | 'foreign';

/** The owner of what belongs to nobody in particular: the list of operators, the system's rates. */
export const system = '';

const actionsOfRole: Readonly<Record<Role, readonly Action[]>> = {
  viewer: ['read'],
  support: ['read', 'opt_in'],
  config: ['read', 'configure', 'operate', 'opt_in'],
  finance: ['read', 'move_money', 'decrease_pot'],
  security: ['read', 'secure'],
  auditor: ['read', 'audit'],
};

/**
 * The one decision about a caller, an action and the owner (an operator's id, a brand path, or `system`) of what it
 * is done to. `foreign` is answered exactly as if the thing did not exist; `forbidden` is 403.
 */
export function authorize(principal: Principal, action: Action, owner: string): Decision {
  switch (principal.kind) {
    case 'anonymous':
      return action === 'read' ? 'allowed' : 'forbidden';
    case 'service':
      if (action !== 'contribute' && action !== 'read' && action !== 'opt_in') return 'forbidden';
      return serviceDecision(principal.operator, principal.brands, owner);
    case 'administrator':
      if (!mayEver(principal, action)) return 'forbidden';
      return ownsIt(principal.owners, owner) ? 'allowed' : 'foreign';
  }
}

/** Whether one of the administrator's roles allows the action at all, wherever. */
export function mayEver(principal: AdministratorPrincipal, action: Action): boolean {
  for (const role of principal.roles) if (actionsOfRole[role].includes(action)) return true;
  return false;
}

function serviceDecision(operator: string, brands: ReadonlySet<string> | null, owner: string): Decision {
  if (operatorOf(owner) !== operator) return 'foreign';
  if (owner === operator || brands === null || brands.has(owner)) return 'allowed';
  return 'forbidden';
}

function ownsIt(owners: ReadonlySet<string>, owner: string): boolean {
  return owners.has('*') || (owner !== system && (owners.has(owner) || owners.has(operatorOf(owner))));
}
