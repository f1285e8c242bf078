import type { ServicePrincipal } from '../../access/rights/principal.ts';
import { scopedBrand } from '../api/contribution/brand-scope.ts';
import { prepareContribution } from '../api/contribution/contribute.ts';
import type { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { AnswerForm } from '../api/contribution/reply.ts';
import type { GatewayContext } from '../api/operation/operation.ts';
import type { NdjsonReader } from './ndjson-reader.ts';
import type { StreamLine } from './stream-line.ts';

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
  reader: NdjsonReader,
  form: AnswerForm<string>,
  caller: ServicePrincipal,
  { context, quotas }: { readonly context: GatewayContext; readonly quotas: OperatorQuotas },
): Promise<string> | null {
  line.reservedBytes = quotas.take(caller.operator, reader.bytes);
  const draft = reader.draft(line, caller, form);
  line.draft = draft;
  const { brand: named, linked } = draft.request;
  const brand = scopedBrand(context.directory, caller, named);
  const prepared = prepareContribution(draft, brand, context);
  // What is refused has a short result.
  line.resultBytes = (minResultBytes + (draft.metadata?.length ?? 0)) * (linked ? linkedResults : 1);
  if (prepared instanceof Promise) return prepared;
  line.command = prepared.command;
  context.lanes.submit(prepared.lane, prepared.command, line);
  return null;
}
