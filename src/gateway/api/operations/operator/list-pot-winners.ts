import * as z from 'zod';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { shownWinnerShape, winnerLimit, winnersInQuery } from '../../../../contracts/jackpots/winner.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { winnersOfInstance } from '../../players/winner-scope.ts';
import { newestPotWinners } from '../../players/winners.ts';

/** O11: as O10, by pot id; the limit applies to each pot. */
export const listPotWinnersOperation = defineOperation({
  id: 'O11',
  name: 'Latest pot winners of an instance',
  method: 'GET',
  path: '/v1/jackpot/instances/{instance_id}/pots/winners',
  surface: 'frontend',
  authentication: { kind: 'service_or_player', optional: true },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: z.strictObject({ limit: winnersInQuery, brand_id: brandField.optional() }),
  },
  output: z.record(z.string(), z.array(shownWinnerShape)),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, params, query } = request;
    const asked = { instance: params.instance_id, brand: query.brand_id };
    const { known, scope } = await winnersOfInstance(context, principal, asked, frontendOf(request));
    const pots = await newestPotWinners(context, known, scope.brands, winnerLimit(query.limit));
    return {
      status: 200,
      body: Object.fromEntries(pots.map(([pot, winners]) => [pot, winners.map(scope.view)])),
    };
  },
});
