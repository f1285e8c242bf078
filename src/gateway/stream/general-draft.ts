import type { ServicePrincipal } from '../../access/rights/principal.ts';
import { type ContributionV2, streamedContribution } from '../../contracts/contributions/contribution.ts';
import { type Draft, draftOf } from '../api/contribution/contribute.ts';
import type { AnswerForm } from '../api/contribution/reply.ts';
import { secondVersionRequest } from '../api/contribution/request.ts';
import { compileValidator } from '../base/validate.ts';

const validate = compileValidator(streamedContribution, 'body');

/** The contribution that any value says, with the checks of O16 in their order. @throws PublicError */
export function generalDraft(
  value: unknown,
  caller: ServicePrincipal,
  form: AnswerForm<string>,
): Draft<string> {
  const request = secondVersionRequest(validate(value) as ContributionV2, caller, null);
  return draftOf(request, caller.operator, form);
}
