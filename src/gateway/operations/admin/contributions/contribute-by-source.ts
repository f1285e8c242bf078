import * as z from 'zod';
import { sourceContribution } from '../../../../contracts/contribution.ts';
import { foreignIdField } from '../../../../contracts/identifier-fields.ts';
import { firstVersionRequest } from '../../../contribution/request.ts';
import { keyOfHeader } from '../../../idempotency-key.ts';
import { defineOperation } from '../../../operation.ts';
import { requireSameId } from '../shared/owner-access.ts';
import { playersBrand } from '../shared/players-brand.ts';
import { contributeByHand, contributionByHandResult } from './contribute-by-hand.ts';

/** A36: as O9, on a player's behalf; `brand_id` is the brand's path. Takes `Idempotency-Key`, or a key in the body. */
export const contributeBySourceByHand = defineOperation({
  id: 'A36',
  name: 'Contribute by source',
  method: 'POST',
  path: '/config/sources/{source_id}/contributions',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { params: z.strictObject({ source_id: foreignIdField }), body: sourceContribution },
  output: contributionByHandResult,
  refusals: [404, 409],
  headers: ['Idempotency-Key'],
  limits: { contributionByHand: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers } = request;
    requireSameId(body.source_id, params.source_id);
    const target = { type: 'source', id: params.source_id } as const;
    const contribution = firstVersionRequest(body, target, body.segments ?? [], keyOfHeader(headers));
    const brand = playersBrand(context, principal, body.brand_id, null);
    return contributeByHand({ request, contribution, brand, known: null }, context);
  },
});
