import { authorize } from '../../../access/rights/authorize.ts';
import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import { PublicError } from '../../base/errors.ts';

/** The operator that a body names must be the caller's. A foreign one is answered as a missing one. */
export function requireOperator(principal: ServicePrincipal, operator: string): void {
  if (authorize(principal, 'contribute', operator) !== 'allowed') throw new PublicError('operator_not_found');
}
