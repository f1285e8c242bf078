import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { GatewayContext, OperationRequest } from '../../../operation/operation.ts';
import { findDelivery } from './find.ts';

/** For the audit trail: nobody's where the id is unknown or foreign. */
export async function ownersOfDelivery(
  { params, principal }: OperationRequest,
  context: GatewayContext,
): Promise<readonly string[]> {
  const { id } = params as { readonly id: string };
  // An administrator's operation has an administrator.
  const found = await findDelivery(context, principal as unknown as AdministratorPrincipal, id).catch(
    () => null,
  );
  return found === null ? [] : [found.row.owner];
}
