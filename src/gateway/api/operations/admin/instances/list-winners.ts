import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { brandField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import {
  winnerLimit,
  winnerShape,
  winnersInQuery,
  winnerView,
} from '../../../../../contracts/jackpots/winner.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineRead, type GatewayContext } from '../../../operation/operation.ts';
import { newestPotWinners, newestWinners } from '../../../players/winners.ts';
import { mayRead, requireInstance } from '../shared/owner-access.ts';

const input = {
  params: z.strictObject({ instance_id: ownIdField }),
  query: z.strictObject({ limit: winnersInQuery, brand_id: brandField.optional() }),
};
const output = z.record(z.string(), z.array(winnerShape));

/** A20: an instance's winners by brand path, newest first; `limit` 0 to 500 (50) for each brand. */
export const listInstanceWinnersOperation = defineRead('read', {
  id: 'A20',
  name: 'Winners of an instance',
  route: 'GET /config/instances/{instance_id}/winners',
  input,
  output,
  refusals: [404],
  async handle({ principal, params, query }, context) {
    const known = requireInstance(context, principal, 'read', params.instance_id);
    const limit = winnerLimit(query.limit);
    const lists: [string, z.output<typeof winnerShape>[]][] = [];
    for (const brand of brandsSeen(context, principal, known, query.brand_id)) {
      const winners = await newestWinners(context, known, '', new Set([brand]), limit);
      lists.push([brand, winners.map(winnerView)]);
    }
    return { status: 200, body: Object.fromEntries(lists) };
  },
});

/** A21: as A20, by pot id; the limit applies to each pot. */
export const listInstancePotWinnersOperation = defineRead('read', {
  id: 'A21',
  name: 'Pot winners of an instance',
  route: 'GET /config/instances/{instance_id}/pots/winners',
  input,
  output,
  refusals: [404],
  async handle({ principal, params, query }, context) {
    const known = requireInstance(context, principal, 'read', params.instance_id);
    const brands = new Set(brandsSeen(context, principal, known, query.brand_id));
    const pots = await newestPotWinners(context, known, brands, winnerLimit(query.limit));
    return {
      status: 200,
      body: Object.fromEntries(pots.map(([pot, winners]) => [pot, winners.map(winnerView)])),
    };
  },
});

/** The brand named, else every brand that the instance is open to: of those that the caller may read. */
function brandsSeen(
  { directory }: GatewayContext,
  principal: AdministratorPrincipal,
  known: KnownInstance,
  named: string | undefined,
): string[] {
  const operator = operatorOf(known.description.owner);
  if (named !== undefined) {
    const brand = directory.entries.brandPath(named, operator);
    if (brand === null || !mayRead(principal, brand)) throw new PublicError('brand_not_found');
    return [brand];
  }
  const own = directory.entries.brandsOf(operator).map(({ path }) => path);
  return [...new Set([...own, ...directory.allowedBrands(known)])].filter((brand) =>
    mayRead(principal, brand),
  );
}
