import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { defaultLimit, offsetOf } from '../../../../../contracts/fields/lists.ts';
import {
  settlementShape,
  settlementsQuery,
  settlementView,
} from '../../../../../contracts/payments/settlement.ts';
import type { SettlementField, SettlementFilter } from '../../../../../messages/settlements.ts';
import { PublicError } from '../../../../base/errors.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import { defineRead, type GatewayContext } from '../../../operation/operation.ts';
import { partyOf } from '../../../services/readers.ts';
import { incompleteHeaders } from '../../lists.ts';
import { requireListed } from '../shared/owner-access.ts';
import { maxSortedRows, recordsOf, SortedSettlements } from './sorted-rows.ts';

const fields: Readonly<Record<string, SettlementField>> = {
  opened_timestamp: 'opened',
  changed_timestamp: 'changed',
  amount: 'amount',
};

/**
 * Debits and credits that are not settled, in pages, the oldest first, of players of the caller's brands.
 * Those in lanes that do not serve are missing (X-Incomplete).
 */
export const listSettlementsOperation = defineRead('read', {
  id: 'settlements.list',
  name: 'List settlements',
  route: 'GET /config/settlements',
  refusals: [404],
  input: { query: settlementsQuery },
  output: z.array(settlementShape),
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const filter = filterOf(context, principal, query);
    const limit = query.limit ?? defaultLimit;
    const from = offsetOf(query);
    if (from + limit > maxSortedRows) throw new PublicError('invalid_parameter');
    return context.readers.settlements.during(partyOf(principal), principal.subject, async () => {
      const { lanes } = context;
      const nowMs = context.clock.nowMs();
      const field = fields[query.sort_field ?? 'opened_timestamp']!;
      const order = { field, direction: query.sort_direction ?? 1, filter, nowMs };
      const rows = await new SortedSettlements(lanes, order, from + limit).load(servingLanes(context));
      const records = await recordsOf(lanes, rows.slice(from, from + limit));
      const headers = incompleteHeaders(context);
      return { status: 200, headers, body: records.map((each) => settlementView(each, nowMs)) };
    });
  },
});

/** @throws PublicError for what is foreign or missing */
function filterOf(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  query: z.output<typeof settlementsQuery>,
): SettlementFilter {
  const { state, kind, owner_id: owner, brand_id: brand, instance_id: instance } = query;
  requireListed(context, principal, query);
  return {
    states: state === undefined ? [] : [state],
    kinds: kind === undefined ? [] : [kind],
    owners: visibleOwners(principal),
    owner: owner ?? '',
    brand: brand ?? '',
    instance: instance ?? '',
  };
}
