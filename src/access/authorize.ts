import { operatorOf } from '../contracts/identifiers.ts';
import type { AdministratorPrincipal, Principal, Role } from './principal.ts';

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
  /** The audit trail. */
  | 'audit'
  /** Contributions, lookups and opt-ins of a service: the operator surface. */
  | 'contribute';

export type Decision = 'allowed' | 'forbidden' | 'foreign';

/** The owner of system-wide things: the list of operators, the system's rates. */
export const system = '';

const actionsOfRole: Readonly<Record<Role, readonly Action[]>> = {
  viewer: ['read'],
  support: ['read', 'opt_in'],
  config: ['read', 'configure', 'operate', 'opt_in'],
  finance: ['read', 'move_money', 'decrease_pot'],
  security: ['read', 'secure', 'audit'],
  auditor: ['read', 'audit'],
};

/**
 * Decides whether a caller may do `action` to something of `owner`: an operator's id, a brand path or `system`
 * (docs/rules/http.md "Callers"). `foreign` is answered as if the thing did not exist, `forbidden` with 403.
 */
export function authorize(principal: Principal, action: Action, owner: string): Decision {
  switch (principal.kind) {
    case 'anonymous':
      return action === 'read' ? 'allowed' : 'forbidden';
    case 'service':
      if (action !== 'contribute' && action !== 'read' && action !== 'opt_in') return 'forbidden';
      return serviceDecision(principal.operator, principal.brands, owner);
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
