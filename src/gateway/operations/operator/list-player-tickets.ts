import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../../../contracts/identifier-fields.ts';
import { ticketShape, ticketView } from '../../../contracts/raffle-view.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { visibleInstance } from '../../players/target-instance.ts';

/** O6: a player's tickets in a raffle's current round: one record, or none. */
export const listPlayerTickets = defineOperation({
  id: 'O6',
  name: 'Raffle tickets of a player in an instance',
  method: 'GET',
  path: '/v1/raffles/{instance_id}/players/{player_id}/tickets',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    params: z.strictObject({ instance_id: ownIdField, player_id: foreignIdField }),
    query: z.strictObject({ brand_id: brandField }),
  },
  output: z.array(ticketShape),
  refusals: [403, 404],
  async handle({ principal, params, query }, context) {
    const brand = scopedBrand(context.directory, principal, query.brand_id).path;
    const { lane } = visibleInstance(context, params.instance_id, principal.operator);
    const answer = await context.lanes.query(lane, {
      kind: 'tickets',
      instance: params.instance_id,
      brand,
      player: params.player_id,
      newestFirst: false,
      offset: 0,
      limit: 1,
    });
    if (answer.kind !== 'tickets') throw new PublicError('overloaded');
    return { status: 200, body: answer.tickets.map(ticketView) };
  },
});
