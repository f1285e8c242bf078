import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import { brandField, foreignIdField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isBrandPath } from '../../../../../contracts/fields/identifiers.ts';
import { cursorQuery, defaultLimit, offsetOf, wholeNumber } from '../../../../../contracts/fields/lists.ts';
import { optInStatusShape, optInStatusView } from '../../../../../contracts/jackpots/opt-in.ts';
import { maxCountedRows } from '../../../../../directory/sorted-page.ts';
import type { LaneQueryAnswer } from '../../../../../messages/queries.ts';
import type { OptInStatusRecord } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import { defineRead } from '../../../operation/operation.ts';
import { incompleteHeaders, integerIn, listedBy, listHeaders } from '../../lists.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/** A33: opt-in statuses of an instance, in pages, in the order in which the players first came to it. */
export const listOptInsOperation = defineRead('read', {
  id: 'A33',
  name: 'List opt-ins of an instance',
  route: 'GET /config/instances/{instance_id}/opt-ins',
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: cursorQuery(['player_id'], { opted_in: z.enum(['true', 'false']).optional() })
      .omit({ sort_direction: true, sort_field: true })
      .extend({ page: wholeNumber.optional() }),
  },
  output: z.array(optInStatusShape),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, params, query }, context) {
    const instance = params.instance_id;
    const known = requireInstance(context, principal, 'read', instance);
    const limit = query.limit ?? defaultLimit;
    const optedIn = query.opted_in === undefined ? null : query.opted_in === 'true';
    const first = offsetOf(query);
    // The lane leaves out players whom the caller may not see before it counts a page.
    const owners = visibleOwners(principal);
    const { page, headers } = await listedBy('joined', query, async (position) => {
      const after = position === null ? undefined : integerIn(position);
      const countsTo = position === null && first === 0 ? maxCountedRows : undefined;
      const question = { kind: 'opt_ins', instance, optedIn, owners, after } as const;
      // One more than the page shows tells whether there is another.
      const { statuses, rows, total } = await allOptIns(limit + 1, (got) => {
        const part = {
          offset: first + got,
          limit: limit + 1 - got,
          countsTo: got === 0 ? countsTo : undefined,
        };
        return context.lanes.query(known.lane, { ...question, ...part });
      });
      // A host of the release before names no rows, and begins with the first one.
      const isOld = rows.length < statuses.length;
      if (isOld && after !== undefined) throw new PublicError('overloaded');
      const end = isOld || statuses.length <= limit ? undefined : rows[limit - 1];
      const last = end === undefined ? null : { value: end, tie: '' };
      return { items: statuses.slice(0, limit), total, last };
    });
    return { status: 200, headers, body: page.map((status) => optInStatusView(status)) };
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
    const found = await Promise.all(servingLanes(context).map(ofLane));
    const statuses = found.flatMap((each) => each.statuses);
    const wanted = statuses.filter(
      (status) => query.opted_id === undefined || status.optedIn === (query.opted_id === 'true'),
    );
    const headers = incompleteHeaders(context);
    return { status: 200, headers, body: wanted.map((status) => optInStatusView(status)) };
  },
});

/** A lane's answer has at most this number, where they fit a message. */
const recordsPerAnswer = 500;

interface OptIns {
  readonly statuses: readonly OptInStatusRecord[];
  readonly rows: readonly number[];
  /** null: they were not counted. */
  readonly total: number | null;
}

/** At most `limit` records, in as many questions as they need. */
async function allOptIns(limit: number, ask: (got: number) => Promise<LaneQueryAnswer>): Promise<OptIns> {
  const statuses: OptInStatusRecord[] = [];
  const rows: number[] = [];
  let total: number | null = null;
  while (statuses.length < limit) {
    const answer = await ask(statuses.length);
    if (answer.kind !== 'opt_ins') throw new PublicError('overloaded');
    statuses.push(...answer.statuses);
    rows.push(...answer.rows);
    total ??= answer.total ?? null;
    if (!answer.more && answer.statuses.length < recordsPerAnswer) break;
  }
  return { statuses, rows, total };
}
