import * as z from 'zod';
import { actsForAllBrands } from '../../../../access/rights/authorize.ts';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { defaultLimit, listQuery, offsetOf } from '../../../../contracts/fields/lists.ts';
import { ticketShape, ticketView } from '../../../../contracts/jackpots/raffle-view.ts';
import { ticketFields } from '../../../../messages/queries.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineOperation } from '../../operation/operation.ts';
import { visibleInstance } from '../../players/target-instance.ts';
import { serviceWinnerScope } from '../../players/winner-scope.ts';

const [, ...sortFields] = ticketFields;

/**
 * O5: the tickets in a raffle's current round, of the caller's brands or of one, in pages. Without a sort field in the order in
 * which the players came to the raffle. An instance that is no raffle has none.
 */
export const listTicketsOperation = defineOperation({
  id: 'O5',
  name: 'Raffle tickets of an instance',
  method: 'GET',
  path: '/v1/raffles/{instance_id}/tickets',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: listQuery(sortFields, { brand_id: brandField.optional() }),
  },
  output: z.array(ticketShape),
  refusals: [403, 404],
  async handle({ principal, params, query }, context) {
    const scope = serviceWinnerScope(context, principal, query.brand_id);
    const known = visibleInstance(context, params.instance_id, scope.operator);
    if (known.configuration.jackpotType !== 'Raffle' || scope.brands.size === 0)
      return { status: 200, body: [] };
    const limit = query.limit ?? defaultLimit;
    const answer = await context.lanes.query(known.lane, {
      kind: 'ticket_page',
      instance: known.description.instance,
      owners:
        actsForAllBrands(principal) && query.brand_id === undefined ? [scope.operator] : [...scope.brands],
      field: query.sort_field ?? 'joined',
      direction: query.sort_direction ?? 1,
      offset: offsetOf(query),
      limit,
    });
    if (answer.kind !== 'tickets') throw new PublicError('overloaded');
    return { status: 200, body: answer.tickets.map(ticketView) };
  },
});
