import * as z from 'zod';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { listQuery } from '../../../../contracts/lists.ts';
import { optInStatusShape, optInStatusView } from '../../../../contracts/opt-in.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead, requireInstance } from '../shared/owner-access.ts';
import { allOptIns } from './all-opt-ins.ts';

const defaultLimit = 50;

/** A33: opt-in statuses of an instance, in pages, in the order in which the players first came to it. */
export const listOptIns = defineOperation({
  id: 'A33',
  name: 'List opt-ins of an instance',
  method: 'GET',
  path: '/config/instances/{instance_id}/opt-ins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: listQuery(['player_id'], { opted_in: z.enum(['true', 'false']).optional() }).omit({
      sort_direction: true,
      sort_field: true,
    }),
  },
  output: z.array(optInStatusShape),
  async handle({ principal, params, query }, context) {
    const instance = params.instance_id;
    const known = requireInstance(context, principal, 'read', instance);
    const limit = query.limit ?? defaultLimit;
    const optedIn = query.opted_in === undefined ? null : query.opted_in === 'true';
    const first = (query.page ?? 0) * limit;
    const statuses = await allOptIns(limit, (got) => {
      const question = { kind: 'opt_ins', instance, optedIn } as const;
      return context.lanes.query(known.lane, { ...question, offset: first + got, limit: limit - got });
    });
    const seen = statuses.filter((status) => mayRead(principal, status.brand));
    return { status: 200, body: seen.map((status) => optInStatusView(status)) };
  },
});
