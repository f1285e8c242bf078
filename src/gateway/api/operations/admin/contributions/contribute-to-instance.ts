import * as z from 'zod';
import { instanceContribution } from '../../../../../contracts/contributions/contribution.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';
import { requirePlayersBrand } from '../shared/players-brand.ts';
import { contributeOnBehalf, contributionOnBehalfResult } from './contribute-by-hand.ts';

/** A35: as O8, on a player's behalf. Takes `Idempotency-Key`, or a key in the body. */
export const contributeToInstanceOnBehalfOperation = defineOperation({
  id: 'A35',
  name: 'Contribute to an instance',
  method: 'POST',
  path: '/config/instances/{instance_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: instanceContribution },
  output: contributionOnBehalfResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionByHand: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const contribution = firstVersionRequest(
      body,
      { type: 'instance', id: instance },
      [],
      keyOfHeader(headers),
    );
    const known = requireInstance(context, principal, 'move_money', instance);
    const brand = requirePlayersBrand(context, principal, body.brand_id, operatorOf(known.description.owner));
    return contributeOnBehalf({ request, contribution, brand, known }, context);
  },
});
