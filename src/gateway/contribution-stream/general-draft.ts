import type { ServicePrincipal } from '../../access/principal.ts';
import { type ContributionV2, streamedContribution } from '../../contracts/contribution.ts';
import type { AnswerForm } from '../contribution/answer-form.ts';
import { type Draft, draftOf } from '../contribution/contribute.ts';
import { secondVersionRequest } from '../contribution/second-version.ts';
import { compileValidator } from '../http/validate.ts';

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
