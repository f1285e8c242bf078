import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { defaultLimit, type ListPosition, offsetOf } from '../../../../../contracts/fields/lists.ts';
import {
  settlementShape,
  settlementsQuery,
  settlementView,
} from '../../../../../contracts/payments/settlement.ts';
import { maxCountedRows } from '../../../../../directory/sorted-page.ts';
import type { SettlementField, SettlementFilter } from '../../../../../messages/settlements.ts';
import { PublicError } from '../../../../base/errors.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import { defineRead, type GatewayContext } from '../../../operation/operation.ts';
import { partyOf } from '../../../services/readers.ts';
import { incompleteHeaders, listedBy, listHeaders } from '../../lists.ts';
import { requireListed } from '../shared/owner-access.ts';
import { maxSortedRows, recordsOf, type SettlementRow, SortedSettlements } from './sorted-rows.ts';

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
  answerHeaders: ['X-Incomplete', ...listHeaders],
  async handle({ principal, query }, context) {
    const filter = filterOf(context, principal, query);
    const limit = query.limit ?? defaultLimit;
    const from = offsetOf(query);
    if (from + limit > maxSortedRows) throw new PublicError('invalid_parameter');
    return context.readers.settlements.during(partyOf(principal), principal.subject, async () => {
      const { lanes } = context;
      const nowMs = context.clock.nowMs();
      const field = query.sort_field ?? 'opened_timestamp';
      const direction = query.sort_direction ?? 1;
      const { page, headers } = await listedBy(field, query, async (position) => {
        const after = position === null ? null : rowAt(position);
        const order = { field: fields[field]!, direction, filter, nowMs, after };
        const wanted = Math.max(from + limit, position === null && from === 0 ? maxCountedRows : 0) + 1;
        const rows = await new SortedSettlements(lanes, order, wanted).load(servingLanes(context));
        const shown = rows.slice(from, from + limit);
        const last = rows.length > from + limit ? positionOf(shown.at(-1)!) : null;
        return { items: await recordsOf(lanes, shown), total: rows.length, last };
      });
      const body = page.map((each) => settlementView(each, nowMs));
      return { status: 200, headers: [...headers, ...incompleteHeaders(context)], body };
    });
  },
});

function positionOf({ lane, number, value }: SettlementRow): ListPosition {
  return { value: String(value), tie: `${lane} ${number}` };
}

/** @throws PublicError for a position that `positionOf` never gave */
function rowAt({ value, tie }: ListPosition): SettlementRow {
  const [lane, number] = /^(\d{1,4}) (\d{1,16})$/.exec(tie)?.slice(1).map(Number) ?? [];
  if (lane === undefined || number === undefined || !/^-?\d{1,40}$/.test(String(value)))
    throw new PublicError('invalid_parameter', 'cursor is none of this list.');
  return { lane, number, value: BigInt(value) };
}

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
