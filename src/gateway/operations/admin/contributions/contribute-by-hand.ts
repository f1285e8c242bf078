import { contributionResult } from '../../../../contracts/contribution.ts';
import { isCountry } from '../../../../contracts/countries.ts';
import type { ErrorCode } from '../../../../contracts/errors.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import type { KnownInstance } from '../../../../directory/lane-view.ts';
import type { ScopedBrand } from '../../../contribution/brand-scope.ts';
import { contributeFor, draftOf } from '../../../contribution/contribute.ts';
import { repeatedBefore } from '../../../contribution/repeated-before.ts';
import { replyForms } from '../../../contribution/reply.ts';
import type { ContributionRequest } from '../../../contribution/request.ts';
import { PublicError } from '../../../errors.ts';
import type { GatewayContext, Reply } from '../../../operation.ts';

/** The result as administrators get it. */
export const contributionByHandResult = contributionResult.omit({ bonus_amount_used: true });

/**
 * A contribution on a player's behalf, by the rules of O8. Its key is one of the brand's operator, so it and the operator's own
 * repeat each other (docs/rules/http.md "Contributions by hand"). `known` is the instance that the caller named and may see.
 */
export async function contributeByHand(
  request: ContributionRequest,
  brand: ScopedBrand,
  known: KnownInstance | null,
  context: GatewayContext,
): Promise<Reply> {
  const operator = operatorOf(brand.path);
  const draft = draftOf(request, operator, replyForms.without_bonus);
  if (known === null || context.directory.visibleTo({ kind: 'operator', operator }, known))
    return contributeFor(draft, brand, context);
  // Both are there for the caller: it is the instance that does not take the other operator's brand.
  const asked = { request, operator, brand: brand.path, lane: known.lane };
  const repeated = await repeatedBefore(asked, context, draft);
  if (repeated === null) throw new PublicError(stateRefusal(known, request.country));
  return repeated;
}

function stateRefusal({ status }: KnownInstance, country: string): ErrorCode {
  if (status !== 'Active') return 'instance_not_active';
  return isCountry(country) ? 'brand_not_allowed' : 'country_invalid';
}
