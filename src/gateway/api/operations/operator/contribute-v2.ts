import * as z from 'zod';
import { contributionResult, contributionV2 } from '../../../../contracts/contributions/contribution.ts';
import { keyOfHeader } from '../../../base/idempotency-key.ts';
import { takeContribution } from '../../contribution/contribute.ts';
import { replyForms } from '../../contribution/reply.ts';
import { secondVersionRequest } from '../../contribution/second-version.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * O16: one contribution to an instance or a source and, with `allow_linked_contributions`, to its linked instances.
 * Answers with one result for each instance, the main one first. The source's type and the game's code and category are
 * recorded with the contribution, and reach the wallet.
 */
export const contributeV2Operation = defineOperation({
  id: 'O16',
  name: 'Contribute (version 2)',
  method: 'POST',
  path: '/v2/jackpot/contributions',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: contributionV2 },
  output: z.array(contributionResult),
  refusals: [403, 404, 409],
  headers: ['Idempotency-Key'],
  limits: { contribution: true },
  handle({ principal, body, headers }, context) {
    const request = secondVersionRequest(body, principal, keyOfHeader(headers));
    return takeContribution(request, principal, context, replyForms.list);
  },
});
