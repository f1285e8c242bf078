import { readAmount } from '../../contracts/amount.ts';
import { operatorOf } from '../../contracts/identifiers.ts';
import type { FourEyesRule } from '../approvals/four-eyes.ts';
import { proposedChange } from '../approvals/propose.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import type { FoundSettlement } from './find.ts';

type AdministratorsRequest = Parameters<typeof proposedChange>[1];

/**
 * Proposes a decision about an amount above the limit of the jackpot's owner, or of the brand's operator where that is another
 * one (docs/rules/approvals.md "Changes"). null: no second administrator is needed.
 */
export async function proposedDecision(
  context: GatewayContext,
  request: AdministratorsRequest,
  found: FoundSettlement,
): Promise<Reply | null> {
  const isNeeded = (rule: FourEyesRule): boolean => isAboveLimit(context, found, rule);
  const proposed = await proposedChange(context, request, found.owner, isNeeded);
  if (proposed !== null || operatorOf(found.brand) === operatorOf(found.owner)) return proposed;
  return proposedChange(context, request, found.brand, isNeeded);
}

/** Limits are in the currency of the jackpot; a debit in another one cannot be compared, so it counts as above. */
function isAboveLimit(
  { directory }: GatewayContext,
  { record, instance }: FoundSettlement,
  { limit }: FourEyesRule,
): boolean {
  const atoms = limit === null ? null : readAmount(limit);
  if (atoms === null || !atoms.ok) return true;
  const { amountAtoms, currency } = record.kind === 'debit' ? record.debit : record.credit;
  return currency !== directory.known(instance)?.configuration.currency || amountAtoms > atoms.atoms;
}
