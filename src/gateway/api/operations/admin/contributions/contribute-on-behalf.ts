import { contributionResult } from '../../../../../contracts/contributions/contribution.ts';
import type { ErrorCode } from '../../../../../contracts/errors/codes.ts';
import { isCountry } from '../../../../../contracts/fields/countries.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import { type AdministratorsRequest, proposedChange } from '../../../approvals/propose.ts';
import type { ScopedBrand } from '../../../contribution/brand-scope.ts';
import { contributeFor, draftOf } from '../../../contribution/contribute.ts';
import { readMoney } from '../../../contribution/draft.ts';
import { askPlayer } from '../../../contribution/player.ts';
import { repeatedBefore } from '../../../contribution/repeated.ts';
import { replyForms } from '../../../contribution/reply.ts';
import type { ContributionRequest } from '../../../contribution/request.ts';
import { targetLane } from '../../../contribution/target-lane.ts';
import type { ApprovedRequest, GatewayContext } from '../../../operation/operation.ts';
import { contributionOwners, onBehalfLimit, releaseAll, reserveOnBehalf } from './on-behalf-limit.ts';

/** The result as administrators get it. */
export const contributionOnBehalfResult = contributionResult.omit({ bonus_amount_used: true });

/**
 * A contribution on a player's behalf, by the rules of O8 and with the operator's keys (docs/rules/http.md
 * "Contributions by hand"). Under the four-eyes rule an administrator contributes alone up to a daily limit
 * for each instance (docs/rules/approvals.md "Contributions by hand").
 */
export async function contributeOnBehalf(onBehalf: OnBehalf, context: GatewayContext): Promise<Reply> {
  const { request, contribution, brand, known } = onBehalf;
  const operator = operatorOf(brand.path);
  if (known !== null && !context.directory.visibleTo({ kind: 'operator', operator }, known)) {
    // Both are there for the caller: it is the instance that does not take the other operator's brand.
    const repeated = await repeatOf(onBehalf, context, known.lane);
    if (repeated === null) throw new PublicError(stateRefusal(known, contribution.country));
    return repeated;
  }
  if (request.approved !== null) return contributeApproved(onBehalf, request.approved, context);
  const owners = contributionOwners(onBehalf, context);
  const [limit, money] = [await onBehalfLimit(context, owners), readMoney(contribution)];
  // Amounts that do not read are refused first.
  if (limit === 'none' || !money.ok) return send(onBehalf, context);
  const repeated = await repeatOf(onBehalf, context);
  if (repeated !== null) return repeated;
  const reserved = await reserveOnBehalf(context, onBehalf, money, limit);
  const proposed = reserved === null ? await proposedChange(context, request, owners) : null;
  if (proposed !== null) return proposed;
  try {
    const reply = await send(onBehalf, context);
    if (reply.status === 204) await releaseAll(context, reserved ?? []);
    return reply;
  } catch (error) {
    const isCertain = error instanceof PublicError && error.code !== 'outcome_unknown';
    if (isCertain) await releaseAll(context, reserved ?? []);
    throw error;
  }
}

/** The wallet confirms again that the session of the proposal still is one. */
async function contributeApproved(
  onBehalf: OnBehalf,
  { id, attempt }: ApprovedRequest,
  context: GatewayContext,
): Promise<Reply> {
  // No header has the first character, so the key is unique to the approval.
  const idempotencyKey = onBehalf.contribution.idempotencyKey ?? `\0approval ${id}`;
  const keyed = { ...onBehalf, contribution: { ...onBehalf.contribution, idempotencyKey } };
  const repeated = attempt > 1 ? await repeatOf(keyed, context) : null;
  if (repeated !== null) return repeated;
  const { path, entry } = onBehalf.brand;
  const isKnown = !entry.wallet || (await askPlayer(onBehalf.contribution, path, context, true)) !== null;
  if (!isKnown) throw new PublicError('wallet_unavailable');
  return send(keyed, context);
}

function send({ contribution, brand }: OnBehalf, context: GatewayContext): Promise<Reply> {
  const draft = draftOf(contribution, operatorOf(brand.path), replyForms.without_bonus);
  return contributeFor(draft, brand, context);
}

/** The answer to a contribution that was made before; null: it is no repeat. */
async function repeatOf(
  { contribution: request, brand: { path: brand } }: OnBehalf,
  context: GatewayContext,
  lane = targetLane(context, request.target, brand)?.lane,
): Promise<Reply | null> {
  if (lane === undefined) return null;
  const operator = operatorOf(brand);
  const draft = draftOf(request, operator, replyForms.without_bonus);
  return repeatedBefore({ request, operator, brand, lane }, context, draft);
}

function stateRefusal({ status }: KnownInstance, country: string): ErrorCode {
  if (status !== 'Active') return 'instance_not_active';
  return isCountry(country) ? 'brand_not_allowed' : 'country_invalid';
}

/** A contribution that an administrator makes for a player. */
export interface OnBehalf {
  readonly request: AdministratorsRequest;
  readonly contribution: ContributionRequest;
  readonly brand: ScopedBrand;
  /** The instance that the caller named and may see; null: it named a source. */
  readonly known: KnownInstance | null;
}
