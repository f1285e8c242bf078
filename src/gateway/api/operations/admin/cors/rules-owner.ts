import { authorize, system } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../../../access/rights/principal.ts';
import { brandOf } from '../../../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext, Operation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';

type Caller = ServicePrincipal | AdministratorPrincipal;

/** A service's user with the right, or an administrator. */
export const authentication = { kind: 'service_or_administrator', action: 'origins' } as const;

/**
 * The operator whose rules a request is about; undefined: the whole system's. Who names none means its own.
 * @throws PublicError forbidden, operator_not_found, owner_disabled
 */
export function rulesOwner(
  context: GatewayContext,
  principal: Caller,
  named: string | null | undefined,
): string | undefined {
  if (principal.kind === 'service') return servicesOperator(context, principal, named);
  const operator = named ?? ownOperator(principal);
  if (operator !== undefined) requireOwner(context, principal, 'origins', operator);
  return operator;
}

/** For the audit trail. */
export const auditOwners: NonNullable<Operation['auditOwners']> = (request) => {
  const principal = request.principal as unknown as Caller;
  const { operator_id: named } = request.body as { readonly operator_id?: string | null };
  const own = principal.kind === 'service' ? principal.operator : operatorOfOwners(principal);
  return [named ?? own ?? system];
};

function servicesOperator(
  { directory }: GatewayContext,
  principal: ServicePrincipal,
  named: string | null | undefined,
): string {
  const { operator } = principal;
  const decision = authorize(principal, 'origins', named ?? operator);
  if (decision === 'forbidden') throw new PublicError('forbidden');
  if (decision === 'foreign') throw new PublicError('operator_not_found');
  if (directory.entries.enabled(operator) !== true) throw new PublicError('owner_disabled');
  return operator;
}

/** undefined: the administrator is one of the whole system. */
function ownOperator(principal: AdministratorPrincipal): string | undefined {
  if (authorize(principal, 'origins', system) === 'allowed') return undefined;
  const operator = operatorOfOwners(principal);
  if (operator === undefined) throw new PublicError('forbidden');
  return operator;
}

/** Of an administrator of one operator. */
function operatorOfOwners({ owners }: AdministratorPrincipal): string | undefined {
  const operators = [...owners].filter((owner) => owner !== '*' && brandOf(owner) === null);
  return operators.length === 1 ? operators[0] : undefined;
}
