import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { ticketShape, ticketView } from '../../../../contracts/jackpots/raffle-view.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineOperation } from '../../operation/operation.ts';
import { visibleInstance } from '../../players/target-instance.ts';
import { brandOfTickets } from '../../players/ticket-holder.ts';
import { frontendOf } from '../../players/token-player.ts';

/** O6: a player's tickets in a raffle's current round: one record, or none. A frontend asks with the player's token. */
export const listPlayerTicketsOperation = defineOperation({
  id: 'O6',
  name: 'Raffle tickets of a player in an instance',
  method: 'GET',
  path: '/v1/raffles/{instance_id}/players/{player_id}/tickets',
  surface: 'frontend',
  authentication: { kind: 'service_or_player' },
  input: {
    params: z.strictObject({ instance_id: ownIdField, player_id: foreignIdField }),
    query: z.strictObject({ brand_id: brandField }),
  },
  output: z.array(ticketShape),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, params, query } = request;
    const asked = { brand: query.brand_id, player: params.player_id };
    const brand = await brandOfTickets(context, principal, asked, frontendOf(request));
    const { lane } = visibleInstance(context, params.instance_id, operatorOf(brand));
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
