import * as z from 'zod';
import type { ApprovalRow } from '../../../../../access/approvals.ts';
import { approvalQuery, approvalShape } from '../../../../../contracts/accounts/approval.ts';
import { allOf, sortedPage } from '../../../../../directory/sorted-page.ts';
import { stored } from '../../../../base/stored.ts';
import { requireApprovals } from '../../../approvals/propose.ts';
import { approvalView, stateOf } from '../../../approvals/view.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';

/** Changes that wait for a second administrator, or with `state` those that were decided in the last 30 days, in pages. */
export const listApprovalsOperation = defineOperation({
  id: 'approvals.list',
  name: 'List approvals',
  method: 'GET',
  path: '/config/approvals',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: approvalQuery },
  output: z.array(approvalShape),
  refusals: [404],
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
    const rows = await sortedPage(approvals.sorted, 'created_timestamp', query, scope);
    const page = await stored(() => approvals.readAll(rows));
    return { status: 200, body: page.map((each) => approvalView(context, each)) };
  },
});
