import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import { brandField, foreignIdField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isBrandPath } from '../../../../../contracts/fields/identifiers.ts';
import { defaultLimit, listQuery, offsetOf, wholeNumber } from '../../../../../contracts/fields/lists.ts';
import { optInStatusShape, optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import type { LaneQueryAnswer } from '../../../../../messages/queries.ts';
import type { OptInStatusRecord } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import { defineRead } from '../../../operation/operation.ts';
import { incompleteHeaders } from '../../lists.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/** A33: opt-in statuses of an instance, in pages, in the order in which the players first came to it. */
export const listOptInsOperation = defineRead('read', {
  id: 'A33',
  name: 'List opt-ins of an instance',
  route: 'GET /config/instances/{instance_id}/opt-ins',
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

const recordsPerQuestion = 500;

/** A26: all of a player's opt-in statuses; `opted_id` (as the interface spells it) filters them. */
export const listPlayerOptInsOperation = defineRead('read', {
  id: 'A26',
  name: "List a player's opt-in records",
  route: 'GET /config/players/{player_id}/opt-ins',
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
    const question = { kind: 'player_opt_ins', brand, player: params.player_id } as const;
    const ofLane = (lane: number) =>
      allOptIns(Number.POSITIVE_INFINITY, (got) =>
        context.lanes.query(lane, { ...question, offset: got, limit: recordsPerQuestion }),
      );
    const statuses = (await Promise.all(servingLanes(context).map(ofLane))).flat();
    const wanted = statuses.filter(
      (status) => query.opted_id === undefined || status.optedIn === (query.opted_id === 'true'),
    );
    const headers = incompleteHeaders(context);
    return { status: 200, headers, body: wanted.map((status) => optInStatusView(status)) };
  },
});

/** A lane's answer has at most this number, where they fit a message. */
const recordsPerAnswer = 500;

/** At most `limit` records, in as many questions as they need. */
async function allOptIns(
  limit: number,
  ask: (got: number) => Promise<LaneQueryAnswer>,
): Promise<readonly OptInStatusRecord[]> {
  const statuses: OptInStatusRecord[] = [];
  while (statuses.length < limit) {
    const answer = await ask(statuses.length);
    if (answer.kind !== 'opt_ins') throw new PublicError('overloaded');
    statuses.push(...answer.statuses);
    if (!answer.more && answer.statuses.length < recordsPerAnswer) break;
  }
  return statuses;
}
