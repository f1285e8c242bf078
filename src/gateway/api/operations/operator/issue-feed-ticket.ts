import type { z } from 'zod';
import type { ServicePrincipal } from '../../../../access/rights/principal.ts';
import {
  issuedTicket,
  newTicket,
  type TicketContent,
  ticketLifetimeSeconds,
} from '../../../../contracts/feeds/tickets.ts';
import { brandOf, operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { currencyFault } from '../../../../directory/shown-money.ts';
import { PublicError } from '../../../base/errors.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation, type GatewayContext } from '../../operation/operation.ts';
import {
  type Frontend,
  frontendOf,
  publicBrand,
  requireSamePlayer,
  tokenPlayer,
} from '../../players/players.ts';

/**
 * Issues a ticket that opens one socket of O21 in place of a token: a player's for itself, a service's for a
 * player or for a brand. docs/rules/feeds.md "Tickets"
 */
export const issueFeedTicketOperation = defineOperation({
  id: 'feed-tickets.issue',
  name: 'Tickets of feeds',
  route: 'POST /v1/feed-tickets',
  surface: 'frontend',
  authentication: { kind: 'service_or_player' },
  input: { body: newTicket },
  output: issuedTicket,
  status: 201,
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  limits: { perOperator: true },
  isRepeatable: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { feedTickets } = context.access;
    if (feedTickets === null) throw new PublicError('overloaded');
    const content =
      principal.kind === 'service'
        ? ofService(context, principal, body)
        : await ofPlayer(context, body, frontendOf(request));
    const { brand } = content;
    const fault = currencyFault(context.directory, brand, content.currency);
    if (fault !== null) throw new PublicError(fault);
    const ticket = feedTickets.issue(content);
    if (ticket === null) throw new PublicError('invalid_request', 'The token is too long for a ticket.');
    const path = `/events/${operatorOf(brand)}/${brandOf(brand)}`;
    return { status: 201, body: { ticket, expires_in: ticketLifetimeSeconds, path } };
  },
});

type NewTicket = z.output<typeof newTicket>;

function ofService(
  { directory, access, ticketLimit }: GatewayContext,
  principal: ServicePrincipal,
  { brand_id, player_id, currency, instance_ids }: NewTicket,
): TicketContent {
  ticketLimit.takeService(principal.operator);
  const brand = scopedBrand(directory, principal, brand_id).path;
  const username = principal.subject;
  const account = access.accounts.find('service', username);
  if (account === undefined) throw new PublicError('token_revoked');
  const { generation } = account;
  const holder = { kind: 'service', player: player_id ?? null, username, generation } as const;
  return { brand, currency, instances: instance_ids ?? null, holder };
}

async function ofPlayer(
  context: GatewayContext,
  { brand_id, player_id, currency, instance_ids }: NewTicket,
  frontend: Frontend,
): Promise<TicketContent> {
  const brand = publicBrand(context.directory, brand_id);
  const identity = await tokenPlayer(context, frontend, brand, { currency });
  requireSamePlayer(identity, player_id);
  if (identity.currency !== currency) throw new PublicError('currency_mismatch');
  const { player } = identity;
  context.ticketLimit.takePlayer(brand, player);
  const holder = { kind: 'player', player, token: frontend.token as string } as const;
  return { brand, currency, instances: instance_ids ?? null, holder };
}
