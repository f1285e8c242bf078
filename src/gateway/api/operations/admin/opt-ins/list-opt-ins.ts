import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { defaultLimit, listQuery, offsetOf, wholeNumber } from '../../../../../contracts/fields/lists.ts';
import { optInStatusShape, optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireInstance } from '../shared/owner-access.ts';
import { allOptIns } from './all-opt-ins.ts';

/** A33: opt-in statuses of an instance, in pages, in the order in which the players first came to it. */
export const listOptInsOperation = defineOperation({
  id: 'A33',
  name: 'List opt-ins of an instance',
  method: 'GET',
  path: '/config/instances/{instance_id}/opt-ins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: listQuery(['player_id'], { opted_in: z.enum(['true', 'false']).optional() })
      .omit({ sort_direction: true, sort_field: true })
      .extend({ page: wholeNumber.optional() }),
  },
  output: z.array(optInStatusShape),
  refusals: [404],
  async handle({ principal, params, query }, context) {
    const instance = params.instance_id;
    const known = requireInstance(context, principal, 'read', instance);
    const limit = query.limit ?? defaultLimit;
    const optedIn = query.opted_in === undefined ? null : query.opted_in === 'true';
    const first = offsetOf(query);
    // The lane leaves out players whom the caller may not see before it counts a page.
    const owners = visibleOwners(principal);
    const statuses = await allOptIns(limit, (got) => {
      const question = { kind: 'opt_ins', instance, optedIn, owners } as const;
      return context.lanes.query(known.lane, { ...question, offset: first + got, limit: limit - got });
    });
    return { status: 200, body: statuses.map((status) => optInStatusView(status)) };
  },
});
