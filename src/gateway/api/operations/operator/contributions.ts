import * as z from 'zod';
import {
  contributionResult,
  contributionV2,
  instanceContribution,
  sourceContribution,
  streamedContribution,
  streamedResult,
} from '../../../../contracts/contributions/contribution.ts';
import { foreignIdField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../base/errors.ts';
import { keyOfHeader } from '../../../base/idempotency-key.ts';
import { takeContribution } from '../../contribution/contribute.ts';
import { replyForms } from '../../contribution/reply.ts';
import { firstVersionRequest, secondVersionRequest } from '../../contribution/request.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * O8: one contribution to the instance named, in the request's currency. 204 to a repeated key.
 * docs/rules/http.md "Contributions"
 */
export const contributeToInstanceOperation = defineOperation({
  id: 'O8',
  name: 'Contribute to an instance',
  route: 'POST /v1/jackpot/instances/{instance_id}/contributions',
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

/** O9: as O8, to the jackpot that the source leads to for this player (`jackpot_not_found`). */
export const contributeBySourceOperation = defineOperation({
  id: 'O9',
  name: 'Contribute by source',
  route: 'POST /v1/jackpot/sources/{source_id}/contributions',
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

/**
 * O16: one contribution to an instance or a source and, with `allow_linked_contributions`, to its linked
 * instances: a result for each, the main one first. Game code and category reach the wallet.
 */
export const contributeV2Operation = defineOperation({
  id: 'O16',
  name: 'Contribute (version 2)',
  route: 'POST /v2/jackpot/contributions',
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

/**
 * Contributions as lines of one long request, each by the rules of O16, and results in the order of their
 * completion (docs/rules/streams.md "Lines" and "Results"). The handler says whether the stream may begin.
 */
export const streamContributionsOperation = defineOperation({
  id: 'contributions.stream',
  name: 'Stream of contributions',
  route: 'POST /v2/jackpot/contributions/stream',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: streamedContribution },
  output: streamedResult,
  limits: { stream: true },
  async handle() {
    return { status: 200 };
  },
});
