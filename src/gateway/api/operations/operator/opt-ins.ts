import * as z from 'zod';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { optInBody, optInResult, optInV2Body } from '../../../../contracts/jackpots/opt-in.ts';
import { PublicError } from '../../../base/errors.ts';
import { requireOperator, scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation } from '../../operation/operation.ts';
import { optInPlayer, optInRequest, ownOptIn } from '../../players/opt-in.ts';
import { frontendOf } from '../../players/players.ts';

/**
 * O14: opts a player in or out of an instance, with a preferred contribution. A service may do it for its
 * brands' players, a frontend with a player's token for that player.
 */
export const optInOperation = defineOperation({
  id: 'O14',
  name: 'Opt in or out (version 1)',
  route: 'POST /v1/jackpot/instances/{instance_id}/opt-in',
  surface: 'operator',
  authentication: { kind: 'service_or_player' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: optInBody },
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

/** O18: as O14, also for a source and, with `opt_linked`, linked instances: only these go to `failed`. */
export const optInV2Operation = defineOperation({
  id: 'O18',
  name: 'Opt in or out (version 2)',
  route: 'POST /v2/jackpot/opt-in',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: optInV2Body },
  output: optInResult,
  refusals: [403, 404],
  async handle({ principal, body }, context) {
    const { target, player, contribution_preference: preference } = body;
    requireOperator(principal, body.operator_id);
    const outcome = await optInPlayer(
      {
        target,
        brand: scopedBrand(context.directory, principal, player.brand_id).path,
        player: player.id,
        country: player.country,
        segments: player.segments ?? [],
        optIn: body.opt_in,
        value: preference?.value ?? null,
        currency: preference?.currency ?? null,
        linked: body.opt_linked ?? false,
      },
      principal.subject,
      context,
    );
    return { status: 200, body: { success: outcome.succeeded, failed: outcome.failed } };
  },
});
