import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { optInBody } from '../../../../contracts/jackpots/opt-in.ts';
import { PublicError } from '../../../base/errors.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation } from '../../operation/operation.ts';
import { optInPlayer, optInRequest } from '../../players/opt-in.ts';
import { ownOptIn } from '../../players/own-opt-in.ts';
import { frontendOf } from '../../players/token-player.ts';

/**
 * O14: opts a player in or out of an instance, with a preferred contribution in the currency named. A service may do
 * it for its brands' players, a frontend with a player's token for that player.
 */
export const optInOperation = defineOperation({
  id: 'O14',
  name: 'Opt in or out (version 1)',
  method: 'POST',
  path: '/v1/jackpot/instances/{instance_id}/opt-in',
  surface: 'operator',
  authentication: { kind: 'service_or_player' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: optInBody },
  output: 'empty',
  refusals: [403, 404],
  headers: ['X-Player-Token'],
  async handle(request, context) {
    const { principal, params, body } = request;
    if ((body.instance_id ?? params.instance_id) !== params.instance_id) {
      throw new PublicError('invalid_request', 'The instance_id in the body differs from the path.');
    }
    if (principal.kind === 'anonymous') {
      const own = await ownOptIn(body, params.instance_id, frontendOf(request), context);
      await optInPlayer(own, `player:${own.player}`, context);
    } else {
      const brand = scopedBrand(context.directory, principal, body.brand_id).path;
      await optInPlayer(optInRequest(body, params.instance_id, brand), principal.subject, context);
    }
    return { status: 204 };
  },
});
