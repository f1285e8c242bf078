import * as z from 'zod';
import { actsForAllBrands } from '../../../../access/rights/authorize.ts';
import { brandField, foreignIdField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, defaultLimit, offsetOf } from '../../../../contracts/fields/lists.ts';
import { ticketShape, ticketView } from '../../../../contracts/jackpots/raffle-view.ts';
import { ticketFields } from '../../../../messages/queries.ts';
import type { TicketRecord } from '../../../../messages/records.ts';
import { PublicError } from '../../../base/errors.ts';
import type { LaneClient } from '../../../lanes/lane-client.ts';
import { servingLanes } from '../../directory/serving-lanes.ts';
import { defineOperation } from '../../operation/operation.ts';
import { brandOfTickets, frontendOf } from '../../players/players.ts';
import { visibleInstance } from '../../players/target-instance.ts';
import { serviceWinnerScope } from '../../players/winners.ts';
import { incompleteHeaders, integerIn, listedBy, listHeaders } from '../lists.ts';

const [, ...sortFields] = ticketFields;

/**
 * O5: the tickets in a raffle's current round, of the caller's brands or of one, in pages; by default in the
 * order in which the players joined.
 */
export const listTicketsOperation = defineOperation({
  id: 'O5',
  name: 'Raffle tickets of an instance',
  route: 'GET /v1/raffles/{instance_id}/tickets',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: cursorQuery(sortFields, { brand_id: brandField.optional() }),
  },
  output: z.array(ticketShape),
  refusals: [403, 404],
  answerHeaders: listHeaders,
  async handle({ principal, params, query }, context) {
    const scope = serviceWinnerScope(context, principal, query.brand_id);
    const known = visibleInstance(context, params.instance_id, scope.operator);
    const isRaffle = known.configuration.jackpotType === 'Raffle' && scope.brands.size > 0;
    const isWhole = actsForAllBrands(principal) && query.brand_id === undefined;
    const field = query.sort_field ?? 'joined';
    const { page, headers } = await listedBy(field, query, async (position) => {
      if (!isRaffle) return { items: [], total: 0, last: null };
      const after =
        position === null ? undefined : { value: String(position.value), row: rowIn(position.tie) };
      const answer = await context.lanes.query(known.lane, {
        kind: 'ticket_page',
        instance: known.description.instance,
        owners: isWhole ? [scope.operator] : [...scope.brands],
        field,
        direction: query.sort_direction ?? 1,
        offset: offsetOf(query),
        limit: query.limit ?? defaultLimit,
        after,
      });
      // A host of the release before begins with the first one.
      if (answer.kind !== 'tickets' || (after !== undefined && answer.place === undefined))
        throw new PublicError('overloaded');
      const { total = null, last = null } = answer.place ?? {};
      const end = last === null ? null : { value: last.value, tie: String(last.row) };
      return { items: answer.tickets, total, last: end };
    });
    return { status: 200, headers, body: page.map(ticketView) };
  },
});

/** @throws PublicError for a position of another list */
function rowIn(tie: string): number {
  return integerIn({ value: /^\d{1,16}$/.test(tie) ? Number(tie) : '', tie });
}

/** O6: a player's tickets in a raffle's current round. Frontends show the player's token. */
export const listPlayerTicketsOperation = defineOperation({
  id: 'O6',
  name: 'Raffle tickets of a player in an instance',
  route: 'GET /v1/raffles/{instance_id}/players/{player_id}/tickets',
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

const recordsPerQuestion = 500;

/** O7: as O6, in all raffles that are Active now, in every lane: all of them. */
export const listTicketsOfPlayerOperation = defineOperation({
  id: 'O7',
  name: 'Raffle tickets of a player in all active raffles',
  route: 'GET /v1/raffles/players/{player_id}/tickets',
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
    const asked = { brand: query.brand_id, player: params.player_id };
    const brand = await brandOfTickets(context, principal, asked, frontendOf(request));
    const ofLane = (lane: number) => ticketsIn(context.lanes, lane, brand, params.player_id);
    const found = await Promise.all(servingLanes(context).map(ofLane));
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
