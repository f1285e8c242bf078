import * as z from 'zod';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { listQuery } from '../../../contracts/lists.ts';
import { optInStatusShape, optInStatusView } from '../../../contracts/opt-in.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { mayRead, requireInstance } from './owner-access.ts';

const defaultLimit = 50;

/** Document 2, A33: in the order in which the players came to the instance. */
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
    const answer = await context.lanes.query(known.lane, {
      kind: 'opt_ins',
      instance,
      optedIn: query.opted_in === undefined ? null : query.opted_in === 'true',
      offset: (query.page ?? 0) * limit,
      limit,
    });
    if (answer.kind !== 'opt_ins') throw new PublicError('overloaded');
    const seen = answer.statuses.filter((status) => mayRead(principal, status.brand));
    return { status: 200, body: seen.map(optInStatusView) };
  },
});
