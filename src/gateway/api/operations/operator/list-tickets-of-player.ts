import * as z from 'zod';
import { brandField, foreignIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { ticketShape, ticketView } from '../../../../contracts/jackpots/raffle-view.ts';
import type { TicketRecord } from '../../../../messages/records.ts';
import { PublicError } from '../../../base/errors.ts';
import type { LaneClient } from '../../../lanes/lane-client.ts';
import { defineOperation } from '../../operation/operation.ts';
import { brandOfTickets } from '../../players/ticket-holder.ts';
import { frontendOf } from '../../players/token-player.ts';
import { incompleteHeaders } from '../incomplete.ts';

const recordsPerQuestion = 500;

/** O7: as O6, in all raffles that are Active now, in every lane: all of them. */
export const listTicketsOfPlayerOperation = defineOperation({
  id: 'O7',
  name: 'Raffle tickets of a player in all active raffles',
  method: 'GET',
  path: '/v1/raffles/players/{player_id}/tickets',
  surface: 'frontend',
  authentication: { kind: 'service_or_player' },
  input: {
    params: z.strictObject({ player_id: foreignIdField }),
    query: z.strictObject({ brand_id: brandField }),
  },
  output: z.array(ticketShape),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  answerHeaders: ['X-Incomplete'],
  async handle(request, context) {
    const { principal, params, query } = request;
    const { directory, lanes } = context;
    const asked = { brand: query.brand_id, player: params.player_id };
    const brand = await brandOfTickets(context, principal, asked, frontendOf(request));
    const serving = Array.from({ length: lanes.lanes }, (_, lane) => lane).filter(
      (lane) => directory.conditions.fault(lane) === null,
    );
    const found = await Promise.all(serving.map((lane) => ticketsIn(lanes, lane, brand, params.player_id)));
    const headers = incompleteHeaders(context);
    return { status: 200, headers, body: found.flat().map(ticketView) };
  },
});

async function ticketsIn(
  lanes: LaneClient,
  lane: number,
  brand: string,
  player: string,
): Promise<readonly TicketRecord[]> {
  const tickets: TicketRecord[] = [];
  for (let more = true; more; ) {
    const offset = tickets.length;
    const question = { kind: 'player_tickets', brand, player, offset, limit: recordsPerQuestion } as const;
    const answer = await lanes.query(lane, question);
    if (answer.kind !== 'tickets') throw new PublicError('overloaded');
    tickets.push(...answer.tickets);
    more = answer.more && answer.tickets.length > 0;
  }
  return tickets;
}
