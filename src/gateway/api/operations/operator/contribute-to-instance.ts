import * as z from 'zod';
import {
  contributionResult,
  instanceContribution,
} from '../../../../contracts/contributions/contribution.ts';
import { ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../base/errors.ts';
import { keyOfHeader } from '../../../base/idempotency-key.ts';
import { takeContribution } from '../../contribution/contribute.ts';
import { replyForms } from '../../contribution/reply.ts';
import { firstVersionRequest } from '../../contribution/request.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * O8: one contribution to the instance named. Takes amounts in the request's currency; answers with the result, or
 * with 204 to a repeated key. docs/rules/http.md "Contributions"
 */
export const contributeToInstanceOperation = defineOperation({
  id: 'O8',
  name: 'Contribute to an instance',
  method: 'POST',
  path: '/v1/jackpot/instances/{instance_id}/contributions',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: instanceContribution },
  output: contributionResult,
  refusals: [403, 404, 409],
  headers: ['Idempotency-Key'],
  limits: { contribution: true },
  handle({ principal, params, body, headers }, context) {
    if ((body.instance_id ?? params.instance_id) !== params.instance_id) {
      throw new PublicError('invalid_request', 'The instance_id in the body differs from the path.');
    }
    const target = { type: 'instance', id: params.instance_id } as const;
    const request = firstVersionRequest(body, target, [], keyOfHeader(headers));
    return takeContribution(request, principal, context, replyForms.one);
  },
});
