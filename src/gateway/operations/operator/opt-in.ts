import * as z from 'zod';
import { ownIdField } from '../../../contracts/identifier-fields.ts';
import { optInBody } from '../../../contracts/opt-in.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';
import { optInPlayer, optInRequest } from '../../players/opt-in.ts';

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
    const brand = scopedBrand(context.directory, principal, body.brand_id).path;
    await optInPlayer(optInRequest(body, params.instance_id, brand), principal.subject, context);
    return { status: 204 };
  },
});
