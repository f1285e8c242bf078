import * as z from 'zod';
import { brandField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import {
  shownWinnerShape,
  winnerLimit,
  winnerShape,
  winnersInQuery,
  winnersV2Body,
} from '../../../../contracts/jackpots/winner.ts';
import type { WinnerRecord } from '../../../../messages/records.ts';
import { defineOperation } from '../../operation/operation.ts';
import { frontendOf } from '../../players/players.ts';
import { newestPotWinners, newestWinners, winnersOfInstance, winnersTarget } from '../../players/winners.ts';

/**
 * O10: an instance's winners, newest first, `limit` 0 to 500 (50). A service sees its brands' players by
 * name, a frontend those of its brand, masked; without a token only where the brand shows them to everybody.
 */
export const listWinnersOperation = defineOperation({
  id: 'O10',
  name: 'Latest winners of an instance',
  route: 'GET /v1/jackpot/instances/{instance_id}/winners',
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

/** O11: as O10, by pot id; the limit applies to each pot. */
export const listPotWinnersOperation = defineOperation({
  id: 'O11',
  name: 'Latest pot winners of an instance',
  route: 'GET /v1/jackpot/instances/{instance_id}/pots/winners',
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

/**
 * O17: as O10, for an instance or a source, of the caller's brands or of the player's brand alone; masked
 * with a player's token.
 */
export const findWinnersOperation = defineOperation({
  id: 'O17',
  name: 'Latest winners (version 2)',
  route: 'POST /v2/jackpot/winners',
  isRepeatable: true,
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

/** O19: as O17, one flat list: the newest of each pot, then the second of each, up to the limit. */
export const findPotWinnersOperation = defineOperation({
  id: 'O19',
  name: 'Latest pot winners (version 2)',
  route: 'POST /v2/jackpot/pots/winners',
  isRepeatable: true,
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
