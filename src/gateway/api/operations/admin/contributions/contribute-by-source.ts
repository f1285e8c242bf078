import * as z from 'zod';
import { sourceContribution } from '../../../../../contracts/contributions/contribution.ts';
import { foreignIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireSameId } from '../shared/owner-access.ts';
import { requirePlayersBrand } from '../shared/players-brand.ts';
import { contributeOnBehalf, contributionOnBehalfResult } from './contribute-by-hand.ts';

/** A36: as O9, on a player's behalf; `brand_id` is the brand's path. Takes `Idempotency-Key`, or a key in the body. */
export const contributeBySourceOnBehalfOperation = defineOperation({
  id: 'A36',
  name: 'Contribute by source',
  method: 'POST',
  path: '/config/sources/{source_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ source_id: foreignIdField }), body: sourceContribution },
  output: contributionOnBehalfResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionByHand: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    requireSameId(body.source_id, params.source_id);
    const target = { type: 'source', id: params.source_id } as const;
    const contribution = firstVersionRequest(body, target, body.segments ?? [], keyOfHeader(headers));
    const brand = requirePlayersBrand(context, principal, body.brand_id, null);
    return contributeOnBehalf({ request, contribution, brand, known: null }, context);
  },
});
