import * as z from 'zod';
import { type ApprovalRow, bodyHash } from '../../../../access/approvals.ts';
import {
  approvalId,
  approvalQuery,
  approvalShape,
  rejection,
} from '../../../../contracts/accounts/approval.ts';
import { secret } from '../../../../contracts/fields/secrets.ts';
import { allOf } from '../../../../directory/sorted-page.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { hasFactorApprover, requireIndependent } from '../../approvals/accounts.ts';
import {
  claimMs,
  decideApproval,
  errorOf,
  executeApproved,
  requireOpen,
  requireUndecided,
} from '../../approvals/execute.ts';
import { approvalView, requireApprovals, stateOf } from '../../approvals/propose.ts';
import {
  defineChange,
  defineRead,
  type GatewayContext,
  type OperationRequest,
} from '../../operation/operation.ts';
import { listed, listHeaders, listScope } from '../lists.ts';
import { requireReason } from './shared/expected-version.ts';
import { requireOwner } from './shared/owner-access.ts';

/** Changes that wait for a second administrator; with `state` those decided in the last 30 days. */
export const listApprovalsOperation = defineRead('read', {
  id: 'approvals.list',
  name: 'List approvals',
  route: 'GET /config/approvals',
  input: { query: approvalQuery },
  output: z.array(approvalShape),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const { owner_id: owner, state = 'open' } = query;
    if (owner !== undefined) requireOwner(context, principal, 'read', owner);
    const approvals = requireApprovals(context);
    const nowMs = context.clock.nowMs();
    const isShown = (each: ApprovalRow) =>
      stateOf(each, nowMs) === state &&
      (owner === undefined || each.owner === owner) &&
      approvals.isRecent(each);
    const { group, matches } = listScope(principal, owner, (each: ApprovalRow) => each.owner);
    const scope = { group, matches: allOf(isShown, matches) };
    const { page, headers } = await listed(approvals.sorted, 'created_timestamp', query, scope);
    const read = await stored(() => approvals.readAll(page));
    return { status: 200, headers, body: read.map((each) => approvalView(context, each)) };
  },
});

/**
 * Approves and executes a change that another administrator proposed. A body must be the very bytes proposed
 * (`approval_mismatch`). The caller needs the right to the operation; its refusal is that of this request.
 * docs/rules/approvals.md "Approving"
 */
export const approveChangeOperation = defineChange('read', {
  id: 'approvals.approve',
  name: 'Approve a change',
  route: 'POST /config/approvals/{id}/approve',
  input: { params: z.strictObject({ id: approvalId }), body: secret(z.unknown()) },
  output: approvalShape,
  refusals: [403, 404, 409],
  auditOwners: ownerOfApproval,
  secondFactor: true,
  isFirstFactor: enrolsFirstFactor,
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

/** Whether the change is an enrolment that no administrator with a second factor could approve. */
async function enrolsFirstFactor({ params }: OperationRequest, context: GatewayContext): Promise<boolean> {
  const { id } = params as { readonly id: string };
  const approval = await stored(() => requireApprovals(context).read(id));
  if (approval?.operation !== 'second-factors.enrol') return false;
  const account = context.access.accounts.find('administrator', approval.proposed_by);
  return account !== undefined && !(await hasFactorApprover(context, account, 'with a factor'));
}

/** As on every route, an empty object is no body. */
function isAbsent(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0;
}

/** Rejects a proposed change for good. The proposer may withdraw it this way, too. */
export const rejectChangeOperation = defineChange('read', {
  id: 'approvals.reject',
  name: 'Reject a change',
  route: 'POST /config/approvals/{id}/reject',
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

/** The owner of the approval in the request's path, for the audit trail. */
function ownerOfApproval({ params }: OperationRequest, context: GatewayContext): readonly string[] {
  const { id } = params as { readonly id: string };
  const approval = requireApprovals(context).find(id);
  return approval === undefined ? [] : [approval.owner];
}
