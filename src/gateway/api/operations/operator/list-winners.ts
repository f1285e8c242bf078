import * as z from 'zod';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { shownWinnerShape, winnerLimit, winnersInQuery } from '../../../../contracts/jackpots/winner.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { winnersOfInstance } from '../../players/winner-scope.ts';
import { newestWinners } from '../../players/winners.ts';

/**
 * O10: an instance's winners, newest first, `limit` 0 to 500 (50). A service sees its brands' players by name, a
 * frontend those of the brand it names, masked; without the player's token only where the brand shows them to everybody.
 */
export const listWinnersOperation = defineOperation({
  id: 'O10',
  name: 'Latest winners of an instance',
  method: 'GET',
  path: '/v1/jackpot/instances/{instance_id}/winners',
  surface: 'frontend',
  authentication: { kind: 'service_or_player', optional: true },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: z.strictObject({ limit: winnersInQuery, brand_id: brandField.optional() }),
  },
  output: z.array(shownWinnerShape),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, params, query } = request;
    const asked = { instance: params.instance_id, brand: query.brand_id };
    const { known, scope } = await winnersOfInstance(context, principal, asked, frontendOf(request));
    const winners = await newestWinners(context, known, '', scope.brands, winnerLimit(query.limit));
    return { status: 200, body: winners.map(scope.view) };
  },
});
