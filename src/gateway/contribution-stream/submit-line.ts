import type { ServicePrincipal } from '../../access/principal.ts';
import { type ContributionV2, streamedContribution } from '../../contracts/contribution.ts';
import type { AnswerForm } from '../contribution/answer-form.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { draftOf, prepareContribution } from '../contribution/contribute.ts';
import { secondVersionRequest } from '../contribution/second-version.ts';
import type { OperatorQuotas } from '../http/operator-quotas.ts';
import { compileValidator } from '../http/validate.ts';
import type { GatewayContext } from '../operation.ts';
import type { LineReader } from './framing.ts';
import { refOf } from './ref.ts';
import type { StreamLine } from './stream-line.ts';

const validate = compileValidator(streamedContribution, 'body');

const minResultBytes = 512;
/** The main instance and those linked to it. */
const linkedResults = 21;

/**
 * Gives the line at hand to its lane with the checks of O16, in their order. Returns a promise of its result where somebody
 * else has to be asked, null where the lane answers.
 * @throws PublicError
 */
export function submitLine(
  line: StreamLine,
  reader: LineReader,
  form: AnswerForm<unknown>,
  caller: ServicePrincipal,
  { context, quotas }: { readonly context: GatewayContext; readonly quotas: OperatorQuotas },
): Promise<unknown> | null {
  line.reservedBytes = quotas.take(caller.operator, reader.bytes);
  const { value, inexactNumber } = reader.parse();
  line.ref = refOf(value);
  const request = secondVersionRequest(validate(value) as ContributionV2, caller, inexactNumber);
  const draft = draftOf(request, caller.operator, form);
  line.draft = draft;
  const brand = scopedBrand(context.directory, caller, request.brand);
  const prepared = prepareContribution(draft, brand, context);
  // What is refused has a short result.
  line.resultBytes = (minResultBytes + (draft.metadata?.length ?? 0)) * (request.linked ? linkedResults : 1);
  if (prepared instanceof Promise) return prepared;
  line.command = prepared.command;
  context.lanes.submit(prepared.lane, prepared.command, line);
  return null;
}
