import { type FourEyesRule, isAboveLimit } from '../../../../../directory/four-eyes/rule.ts';
import type { Reply } from '../../../../base/reply.ts';
import { type AdministratorsRequest, proposedChange } from '../../../approvals/propose.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import type { FoundSettlement } from './find.ts';

/**
 * Proposes a decision about an amount above the limit of the jackpot's owner, or of the brand's operator where that is another
 * one (docs/rules/approvals.md "Changes"). null: no second administrator is needed.
 */
export function proposedDecision(
  context: GatewayContext,
  request: AdministratorsRequest,
  found: FoundSettlement,
): Promise<Reply | null> {
  const isNeeded = (rule: FourEyesRule): boolean => isAbove(context, found, rule);
  return proposedChange(context, request, [found.owner, found.brand], { isNeeded });
}

/** Limits are in the currency of the jackpot; a debit in another one cannot be compared, so it counts as above. */
function isAbove(
  { directory }: GatewayContext,
  { record, instance }: FoundSettlement,
  rule: FourEyesRule,
): boolean {
  const { amountAtoms, currency } = record.kind === 'debit' ? record.debit : record.credit;
  return currency !== directory.known(instance)?.configuration.currency || isAboveLimit(amountAtoms, rule);
}
