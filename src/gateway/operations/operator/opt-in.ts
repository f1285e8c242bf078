import * as z from 'zod';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { optInBody } from '../../../contracts/opt-in.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { optInPlayer } from '../../players/opt-in.ts';

/** Document 1, O14. */
export const optIn = defineOperation({
  id: 'O14',
  name: 'Opt in or out (version 1)',
  method: 'POST',
  path: '/v1/jackpot/instances/{instance_id}/opt-in',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: optInBody },
  output: 'empty',
  async handle({ principal, params, body }, context) {
    if ((body.instance_id ?? params.instance_id) !== params.instance_id) {
      throw new PublicError('invalid_request', 'The instance_id of the body is not the one of the path.');
    }
    await optInPlayer(
      {
        target: { type: 'instance', id: params.instance_id },
        brand: body.brand_id,
        player: body.player_id,
        country: body.player_country,
        segments: [],
        optIn: body.opt_in,
        value: body.contribution_value ?? null,
        currency: body.contribution_currency ?? null,
        linked: false,
      },
      principal,
      context,
    );
    return { status: 204 };
  },
});
