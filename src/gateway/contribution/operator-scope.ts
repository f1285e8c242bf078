import { authorize } from '../../access/authorize.ts';
import type { ServicePrincipal } from '../../access/principal.ts';
import { PublicError } from '../errors.ts';

/** The operator that a body names must be the caller's. A foreign one is answered as a missing one. */
export function requireOperator(principal: ServicePrincipal, operator: string): void {
  if (authorize(principal, 'contribute', operator) !== 'allowed') throw new PublicError('operator_not_found');
}
