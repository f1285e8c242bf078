import { streamedContribution, streamedResult } from '../../../../contracts/contributions/contribution.ts';
import { defineOperation } from '../../operation/operation.ts';

/**
 * Contributions as lines of one long request, with the rules of O16 each, and results as lines of its answer in the
 * order of their completion (docs/rules/streams.md "Lines" and "Results"). The handler says whether the stream may begin.
 */
export const streamContributionsOperation = defineOperation({
  id: 'contributions.stream',
  name: 'Stream of contributions',
  method: 'POST',
  path: '/v2/jackpot/contributions/stream',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: streamedContribution },
  output: streamedResult,
  limits: { stream: true },
  async handle() {
    return { status: 200 };
  },
});
