import * as z from 'zod';
import { winnerLimit, winnerShape, winnersV2Body } from '../../../../contracts/jackpots/winner.ts';
import type { WinnerRecord } from '../../../../messages/records.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/token-player.ts';
import { newestPotWinners } from '../../players/winners.ts';
import { winnersTarget } from '../../players/winners-target.ts';

/** O19: as O17, one flat list: the newest of each pot, then the second of each, up to the limit. */
export const findPotWinnersOperation = defineOperation({
  id: 'O19',
  name: 'Latest pot winners (version 2)',
  method: 'POST',
  isRepeatable: true,
  path: '/v2/jackpot/pots/winners',
  surface: 'frontend',
  authentication: { kind: 'service_or_player' },
  input: { body: winnersV2Body },
  output: z.array(winnerShape),
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, body } = request;
    const { known, scope } = await winnersTarget(context, principal, body, frontendOf(request));
    const limit = winnerLimit(body.limit);
    const pots = await newestPotWinners(context, known, scope.brands, limit);
    const flat = inTurn(pots.map(([, winners]) => winners)).slice(0, limit);
    return { status: 200, body: flat.map(scope.view) };
  },
});

function inTurn(lists: readonly (readonly WinnerRecord[])[]): WinnerRecord[] {
  const maxLength = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: maxLength }, (_, place) =>
    lists.flatMap((list) => (place < list.length ? [list[place]!] : [])),
  ).flat();
}
