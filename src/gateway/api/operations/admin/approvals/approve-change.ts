import * as z from 'zod';
import { bodyHash } from '../../../../../access/approvals.ts';
import { approvalId, approvalShape } from '../../../../../contracts/accounts/approval.ts';
import { secret } from '../../../../../contracts/fields/secrets.ts';
import { PublicError } from '../../../../base/errors.ts';
import { requireIndependent } from '../../../approvals/accounts.ts';
import { decideApproval, requireOpen, requireUndecided } from '../../../approvals/decide.ts';
import { claimMs, errorOf, executeApproved } from '../../../approvals/execute.ts';
import { approvalView } from '../../../approvals/view.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { ownerOfApproval } from './owner-of-approval.ts';

/**
 * Approves a change that another administrator proposed, and executes it. The body is the very same bytes as in the
 * proposed request (`approval_mismatch`); without a body the proposal stands as it was stored. The caller needs the
 * right to the operation itself. Answers with the approval, whose `result` has the operation's own answer; a refusal of the
 * operation is the refusal of this request, and ends the approval. docs/rules/approvals.md "Approving"
 */
export const approveChangeOperation = defineOperation({
  id: 'approvals.approve',
  name: 'Approve a change',
  method: 'POST',
  path: '/config/approvals/{id}/approve',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { params: z.strictObject({ id: approvalId }), body: secret(z.unknown()) },
  output: approvalShape,
  refusals: [403, 404, 409],
  auditOwners: ownerOfApproval,
  async handle({ principal, params, bytes, body, requestId }, context) {
    const found = await requireOpen(context, principal, params.id);
    if (found.proposed_by === principal.subject) throw new PublicError('approval_by_proposer');
    await requireIndependent(context, found.proposed_by, principal.subject);
    const nowMs = context.clock.nowMs();
    requireUndecided(found, nowMs);
    if (!isAbsent(body) && (bytes === null || bodyHash(bytes) !== found.sha256))
      throw new PublicError('approval_mismatch');
    const claimed = await decideApproval(context, params.id, {
      state: 'approved',
      decided_by: principal.subject,
      attempts: 1,
      claimed_until: nowMs + claimMs,
    });
    const ended = await executeApproved(context, claimed, requestId);
    const refusal = errorOf(ended);
    if (refusal !== null) throw refusal;
    return { status: 200, body: approvalView(context, ended) };
  },
});

/** As on every route, an empty object is no body. */
function isAbsent(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0;
}
