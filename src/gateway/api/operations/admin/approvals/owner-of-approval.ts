import { requireApprovals } from '../../../approvals/propose.ts';
import type { GatewayContext, OperationRequest } from '../../../operation/operation.ts';

/** Whose the approval of the request's path is, for the audit trail; nobody's where there is none. */
export function ownerOfApproval({ params }: OperationRequest, context: GatewayContext): readonly string[] {
  const { id } = params as { readonly id: string };
  const approval = requireApprovals(context).find(id);
  return approval === undefined ? [] : [approval.owner];
}
