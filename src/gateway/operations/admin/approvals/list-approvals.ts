import * as z from 'zod';
import type { Approval } from '../../../../access/approvals.ts';
import { approvalQuery, approvalShape } from '../../../../contracts/approval.ts';
import { requireApprovals } from '../../../approvals/propose.ts';
import { approvalView, stateOf } from '../../../approvals/view.ts';
import { allOf, sortedPage } from '../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation.ts';
import { listScope } from '../../list-scope.ts';
import { requireOwner } from '../shared/owner-access.ts';

/** Changes that wait for a second administrator, or with `state` those that were decided in the last 30 days, in pages. */
export const listApprovals = defineOperation({
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
    const isShown = (each: Approval) =>
      stateOf(each, nowMs) === state &&
      (owner === undefined || each.owner === owner) &&
      approvals.isRecent(each);
    const { group, matches } = listScope(principal, owner, (each: Approval) => each.owner);
    const scope = { group, matches: allOf(isShown, matches) };
    const page = await sortedPage(approvals.sorted, 'created_timestamp', query, scope);
    return { status: 200, body: page.map((each) => approvalView(context, each)) };
  },
});
