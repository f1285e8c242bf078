import * as z from 'zod';
import { approvalId, approvalShape, rejection } from '../../../../../contracts/accounts/approval.ts';
import { decideApproval, requireOpen } from '../../../approvals/decide.ts';
import { approvalView } from '../../../approvals/view.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { ownerOfApproval } from './owner-of-approval.ts';

/** Rejects a proposed change for good. The proposer may withdraw it this way, too. */
export const rejectChangeOperation = defineOperation({
  id: 'approvals.reject',
  name: 'Reject a change',
  method: 'POST',
  path: '/config/approvals/{id}/reject',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { params: z.strictObject({ id: approvalId }), body: rejection },
  output: approvalShape,
  refusals: [403, 404, 409],
  auditOwners: ownerOfApproval,
  async handle({ principal, params, body }, context) {
    await requireOpen(context, principal, params.id);
    const reason = body?.reason ?? null;
    if (reason !== null) requireReason(reason);
    const rejected = await decideApproval(context, params.id, {
      state: 'rejected',
      decided_by: principal.subject,
      decision_reason: reason,
    });
    return { status: 200, body: approvalView(context, rejected) };
  },
});
