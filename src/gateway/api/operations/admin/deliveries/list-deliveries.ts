import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { defaultLimit, offsetOf } from '../../../../../contracts/fields/lists.ts';
import { deliveriesQuery, deliveryShape } from '../../../../../contracts/payments/delivery.ts';
import type { DeliveryFilter } from '../../../../../contracts/payments/delivery-questions.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { partyOf } from '../../../services/party.ts';
import { requireListed } from '../shared/owner-access.ts';
import { firstRows } from './merged-rows.ts';
import { deliveryView } from './view.ts';

/** A page lies within so many rows: each is asked for from the first one on. */
const maxRows = 10_000;

/** Deliveries that are not accepted yet or were given up, in pages, the oldest first. */
export const listDeliveriesOperation = defineOperation({
  id: 'deliveries.list',
  name: 'List deliveries',
  method: 'GET',
  path: '/config/deliveries',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  refusals: [404],
  input: { query: deliveriesQuery },
  output: z.array(deliveryShape),
  async handle({ principal, query }, context) {
    const filter = filterOf(context, principal, query);
    const limit = query.limit ?? defaultLimit;
    const from = offsetOf(query);
    if (from + limit > maxRows) throw new PublicError('invalid_parameter');
    const field = query.sort_field ?? 'created_timestamp';
    const order = { filter, field, direction: query.sort_direction ?? 1 };
    const rows = await context.readers.deliveries.during(partyOf(principal), principal.subject, () =>
      firstRows(context, order, from + limit),
    );
    const nowMs = context.clock.nowMs();
    return { status: 200, body: rows.slice(from).map((row) => deliveryView(row, nowMs)) };
  },
});

/** @throws PublicError for what is foreign or missing */
function filterOf(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  query: z.output<typeof deliveriesQuery>,
): DeliveryFilter {
  const { state, kind, owner_id: owner, brand_id: brand, instance_id: instance } = query;
  requireListed(context, principal, query);
  return {
    states: state === undefined ? [] : [state],
    kinds: kind === undefined ? [] : [kind],
    owners: [...visibleOwners(principal)],
    owner: owner ?? '',
    brand: brand ?? '',
    instance: instance ?? '',
  };
}
