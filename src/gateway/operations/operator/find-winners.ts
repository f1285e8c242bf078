import * as z from 'zod';
import { winnerLimit, winnerShape, winnersV2Body } from '../../../contracts/winner.ts';
import { defineOperation } from '../../operation.ts';
import { newestWinners } from '../../players/winners.ts';
import { winnersTarget } from '../../players/winners-target.ts';

/** O17: as O10, for an instance or a source, of the caller's brands or of the player's brand alone. */
export const findWinners = defineOperation({
  id: 'O17',
  name: 'Latest winners (version 2)',
  method: 'POST',
  isRepeatable: true,
  path: '/v2/jackpot/winners',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: winnersV2Body },
  output: z.array(winnerShape),
  refusals: [403, 404],
  async handle({ principal, body }, context) {
    const { known, scope } = winnersTarget(context, principal, body);
    const winners = await newestWinners(context, known, '', scope.brands, winnerLimit(body.limit));
    return { status: 200, body: winners.map(scope.view) };
  },
});
