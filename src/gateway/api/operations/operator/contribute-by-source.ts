import * as z from 'zod';
import { contributionResult, sourceContribution } from '../../../../contracts/contributions/contribution.ts';
import { foreignIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../base/errors.ts';
import { keyOfHeader } from '../../../base/idempotency-key.ts';
import { takeContribution } from '../../contribution/contribute.ts';
import { replyForms } from '../../contribution/reply.ts';
import { firstVersionRequest } from '../../contribution/request.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * O9: as O8, to the jackpot that the source leads to for this player. 404 `source_not_found`, `jackpot_not_found`
 * where none does.
 */
export const contributeBySourceOperation = defineOperation({
  id: 'O9',
  name: 'Contribute by source',
  method: 'POST',
  path: '/v1/jackpot/sources/{source_id}/contributions',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { params: z.strictObject({ source_id: foreignIdField }), body: sourceContribution },
  output: contributionResult,
  refusals: [403, 404, 409],
  headers: ['Idempotency-Key'],
  limits: { contribution: true },
  handle({ principal, params, body, headers }, context) {
    if ((body.source_id ?? params.source_id) !== params.source_id) {
      throw new PublicError('invalid_request', 'The source_id in the body differs from the path.');
    }
    const target = { type: 'source', id: params.source_id } as const;
    const request = firstVersionRequest(body, target, body.segments ?? [], keyOfHeader(headers));
    return takeContribution(request, principal, context, replyForms.one);
  },
});
