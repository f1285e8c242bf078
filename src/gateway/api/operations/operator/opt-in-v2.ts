import { optInResult, optInV2Body } from '../../../../contracts/jackpots/opt-in.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { requireOperator } from '../../contribution/operator-scope.ts';
import { defineOperation } from '../../operation/operation.ts';
import { optInPlayer } from '../../players/opt-in.ts';

/**
 * O18: as O14, for an instance or a source and, with `opt_linked`, its linked instances. Answers with their ids. A
 * refusal of the target is an error; only linked instances go to `failed`.
 */
export const optInV2Operation = defineOperation({
  id: 'O18',
  name: 'Opt in or out (version 2)',
  method: 'POST',
  path: '/v2/jackpot/opt-in',
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
