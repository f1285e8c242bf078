import * as z from 'zod';
import { approvalQuery, approvalShape } from '../../../../contracts/approval.ts';
import { pageOf } from '../../../../contracts/lists.ts';
import { requireApprovals } from '../../../approvals/propose.ts';
import { approvalView, stateOf } from '../../../approvals/view.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead, requireOwner } from '../shared/owner-access.ts';

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
    const shown = [...approvals.all()]
      .filter((each) => stateOf(each, nowMs) === state)
      .filter((each) => owner === undefined || each.owner === owner)
      .filter((each) => mayRead(principal, each.owner));
    const page = pageOf(shown, query, (each) => `${String(each.created).padStart(16, '0')} ${each.id}`, {
      created_timestamp: (each) => each.created,
      expires_timestamp: (each) => each.expires,
    });
    return { status: 200, body: page.map((each) => approvalView(approvals, each, nowMs)) };
  },
});
