import * as z from 'zod';
import { winnerLimit, winnerShape, winnersV2Body } from '../../../../contracts/jackpots/winner.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { newestWinners } from '../../players/winners.ts';
import { winnersTarget } from '../../players/winners-target.ts';

/**
 * O17: as O10, for an instance or a source, of the caller's brands or of the player's brand alone. With a player's token: of
 * the player's brand, masked.
 */
export const findWinnersOperation = defineOperation({
  id: 'O17',
  name: 'Latest winners (version 2)',
  method: 'POST',
  isRepeatable: true,
  path: '/v2/jackpot/winners',
  surface: 'frontend',
  authentication: { kind: 'service_or_player' },
  input: { body: winnersV2Body },
  output: z.array(winnerShape),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, body } = request;
    const { known, scope } = await winnersTarget(context, principal, body, frontendOf(request));
    const winners = await newestWinners(context, known, '', scope.brands, winnerLimit(body.limit));
    return { status: 200, body: winners.map(scope.view) };
  },
});
