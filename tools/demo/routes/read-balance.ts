import { z } from 'zod';
import { defineOperation, type Operation } from '../../../src/gateway/api/operation/operation.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import { demoPlayers } from '../fixtures.ts';

/** The player's money in the demo's wallet; null: the wallet does not say. */
export type DemoBalance = (brand: string, player: string) => Promise<BalanceView | null>;

export interface BalanceView {
  readonly currency: string;
  readonly balance: number | string;
}

/** What a player of the demo has in the wallet. Only the wallet knows, so it is asked. */
export const readBalance = (balanceOf: DemoBalance): Operation =>
  defineOperation({
    id: 'demo.balance',
    name: 'Balance of a demo player',
    route: 'GET /demo/balance',
    surface: 'public',
    authentication: { kind: 'none' },
    input: { query: z.object({ player_id: z.string() }) },
    output: z.unknown(),
    async handle({ query }) {
      const player = demoPlayers.find((one) => one.player === query.player_id);
      if (player === undefined) throw new PublicError('invalid_request', 'The demo has no such player.');
      const found = await balanceOf(player.brand, player.player);
      if (found === null) throw new PublicError('wallet_unavailable');
      return {
        status: 200,
        headers: ['cache-control', 'no-store'],
        body: { player_id: player.player, ...found },
      };
    },
  });
