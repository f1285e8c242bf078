import * as z from 'zod';
import { brandField, foreignIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isBrandPath } from '../../../../../contracts/fields/identifiers.ts';
import { optInStatusShape, optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { allOptIns } from './all-opt-ins.ts';

const recordsPerQuestion = 500;

/**
 * A26: a player's opt-in statuses in all lanes; `opted_id` (spelt as the interface has it) keeps those opted in or
 * out. All of them.
 */
export const listPlayerOptInsOperation = defineOperation({
  id: 'A26',
  name: "List a player's opt-in records",
  method: 'GET',
  path: '/config/players/{player_id}/opt-ins',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    params: z.strictObject({ player_id: foreignIdField }),
    query: z.strictObject({ brand_id: brandField, opted_id: z.enum(['true', 'false']).optional() }),
  },
  output: z.array(optInStatusShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, params, query }, context) {
    const brand = query.brand_id;
    if (!isBrandPath(brand)) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'read', brand);
    const { conditions } = context.directory;
    const lanes = Array.from({ length: context.lanes.lanes }, (_, lane) => lane).filter(
      (lane) => conditions.fault(lane) === null,
    );
    const question = { kind: 'player_opt_ins', brand, player: params.player_id } as const;
    const ofLane = (lane: number) =>
      allOptIns(Number.POSITIVE_INFINITY, (got) =>
        context.lanes.query(lane, { ...question, offset: got, limit: recordsPerQuestion }),
      );
    const statuses = (await Promise.all(lanes.map(ofLane))).flat();
    const wanted = statuses.filter(
      (status) => query.opted_id === undefined || status.optedIn === (query.opted_id === 'true'),
    );
    const headers = incompleteHeaders(context);
    return { status: 200, headers, body: wanted.map((status) => optInStatusView(status)) };
  },
});
