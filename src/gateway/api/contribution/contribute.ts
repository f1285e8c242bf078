import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import type { ErrorCode } from '../../../contracts/errors/codes.ts';
import { isCountry } from '../../../contracts/fields/countries.ts';
import { firstRefusal } from '../../../messages/admission.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneAnswer } from '../../lanes/lane-client.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { acceptContribution } from './accept.ts';
import { admission } from './admission.ts';
import { type ScopedBrand, scopedBrand } from './brand-scope.ts';
import { allowedCallback, metadataText, readMoney } from './draft.ts';
import { type AuthenticatedIdentity, askPlayer, knownPlayer } from './player.ts';
import { idempotencyHash, repeatedAnswer, repeatedBefore, type WantedAnswer } from './repeated.ts';
import type { AnswerForm } from './reply.ts';
import type { ContributionRequest } from './request.ts';
import { needsGroup, settleGroup } from './source-group.ts';
import { type TargetLane, targetLane } from './target-lane.ts';

/**
 * One contribution from request to answer, in the order of docs/rules/http.md "Order of checks". Throws at
 * once where it need not wait: a contribution costs as few promises as it can.
 */
export function takeContribution<Answer>(
  request: ContributionRequest,
  principal: ServicePrincipal,
  context: GatewayContext,
  form: AnswerForm<Answer>,
): Promise<Answer> {
  const draft = draftOf(request, principal.operator, form);
  return contributeFor(draft, scopedBrand(context.directory, principal, request.brand), context);
}

/** The same for a brand that the caller may act for. */
export function contributeFor<Answer>(
  draft: Draft<Answer>,
  brand: ScopedBrand,
  context: GatewayContext,
): Promise<Answer> {
  return sent(prepareContribution(draft, brand, context), draft, context);
}

/** A contribution that only its lane has to judge. */
interface PreparedContribution {
  readonly lane: number;
  readonly command: Contribute;
}

/** Everything before the lane. Where the wallet has to be asked first: a promise of the whole answer. */
export function prepareContribution<Answer>(
  draft: Draft<Answer>,
  brand: ScopedBrand,
  context: GatewayContext,
): PreparedContribution | Promise<Answer> {
  const { request } = draft;
  const target = targetLane(context, request.target, brand.path);
  if (target === null) return repeatToFormerSource(draft, brand.path, context);
  if (!brand.entry.wallet) return prepare(draft, brand.path, target, unauthenticated, context);
  const player = knownPlayer(request, brand.path, context);
  if (player !== undefined) return prepare(draft, brand.path, target, player, context);
  return authenticateFirst(draft, brand.path, target, context);
}

/** Publishes nothing before the wallet knows the player. A key that the lane knows needs no wallet. */
async function authenticateFirst<Answer>(
  draft: Draft<Answer>,
  brand: string,
  target: TargetLane,
  context: GatewayContext,
): Promise<Answer> {
  const { request, operator } = draft;
  const repeated = await repeatedBefore({ request, operator, brand, lane: target.lane }, context, draft);
  if (repeated !== null) return repeated;
  const player = await askPlayer(request, brand, context);
  if (player !== null) return sent(prepare(draft, brand, target, player, context), draft, context);
  throw faultOf(draft, brand, target, unauthenticated, context) ?? new PublicError('wallet_unavailable');
}

/** A deleted source takes nothing new, but a retry still meets its key in the lane of the source's group. */
async function repeatToFormerSource<Answer>(
  draft: Draft<Answer>,
  brand: string,
  context: GatewayContext,
): Promise<Answer> {
  const { request, operator } = draft;
  const { directory, lanes } = context;
  const group = directory.entries.sourceGroup(brand, request.target.id) ?? operator;
  const asked = { request, operator, brand, lane: lanes.laneOf(group) };
  const answer = await repeatedBefore(asked, context, draft);
  if (answer === null) throw new PublicError('source_not_found');
  return answer;
}

/** A request whose texts are written. */
export interface Draft<Answer> {
  readonly request: ContributionRequest;
  readonly operator: string;
  readonly metadata: string | null;
  readonly eventMetadata: string | null;
  readonly form: AnswerForm<Answer>;
}

/** @throws PublicError where a text is too large */
export function draftOf<Answer>(
  request: ContributionRequest,
  operator: string,
  form: AnswerForm<Answer>,
): Draft<Answer> {
  return {
    request,
    operator,
    metadata: metadataText(request.metadata),
    eventMetadata: metadataText(request.eventMetadata),
    form,
  };
}

/** A brand without a wallet: the request is right about its player. */
const unauthenticated: AuthenticatedIdentity = { country: null, segments: null, maxBetAtoms: null };

function prepare<Answer>(
  draft: Draft<Answer>,
  brand: string,
  target: TargetLane,
  player: AuthenticatedIdentity,
  context: GatewayContext,
): PreparedContribution | Promise<Answer> {
  const { request, operator, metadata, eventMetadata } = draft;
  const money = readMoney(request);
  const country = player.country ?? request.country;
  const callback = request.callback === null ? null : allowedCallback(context, operator, request.callback);
  if (!money.ok || !isCountry(country) || (request.callback !== null && callback === null))
    throw faultOf(draft, brand, target, player, context) ?? new Error('A contribution has no fault.');
  const segments = player.segments ?? request.segments;
  if (target.known === null && needsGroup(context, brand, request.target.id, segments)) {
    return settleGroup(context, brand, request.target.id).then(() => {
      const settled = targetLane(context, request.target, brand);
      if (settled === null) throw new PublicError('source_not_found');
      return sent(prepare(draft, brand, settled, player, context), draft, context);
    });
  }
  const command: Contribute = {
    kind: 'Contribute',
    contributionId: newContributionId(context),
    target: target.named,
    operator,
    brand,
    player: request.player,
    country,
    segments,
    baseWagerAtoms: money.baseWagerAtoms,
    currency: request.currency,
    gameround: request.gameround ?? '',
    idempotencyKey:
      request.idempotencyKey === null ? null : idempotencyHash(operator, request.idempotencyKey),
    linked: request.linked,
    wallet: player !== unauthenticated,
    maxBetAtoms: player.maxBetAtoms,
    bonus: money.bonus,
    vertical: request.vertical,
    callback,
    metadata: callback === null ? null : metadata,
    eventMetadata,
    provider: request.provider,
    origin: request.origin,
  };
  if (callback !== null) return acceptContribution(context, target.lane, command, draft);
  return { lane: target.lane, command };
}

function sent<Answer>(
  prepared: PreparedContribution | Promise<Answer>,
  draft: Draft<Answer>,
  context: GatewayContext,
): Promise<Answer> {
  if (prepared instanceof Promise) return prepared;
  const { lane, command } = prepared;
  return context.lanes.send(lane, command).then((answer) => answerOf(answer, command, draft, context));
}

/** Why a contribution that does not read is refused, in the engine's order; null: all of it reads. */
function faultOf<Answer>(
  { request, operator }: Draft<Answer>,
  brand: string,
  { known }: TargetLane,
  player: AuthenticatedIdentity,
  context: GatewayContext,
): PublicError | null {
  const { directory, clock } = context;
  const money = readMoney(request);
  const country = player.country ?? request.country;
  const segments = player.segments ?? request.segments;
  const isCallbackFine =
    request.callback === null || allowedCallback(context, operator, request.callback) !== null;
  if (money.ok && isCountry(country) && isCallbackFine) return null;
  const refusal = firstRefusal<ErrorCode>({
    status: () => (known !== null && known.status !== 'Active' ? 'instance_not_active' : null),
    countryCode: () => (isCountry(country) ? null : 'country_invalid'),
    ...(known === null ? {} : admission(known, brand, country)),
    sourceLeadsSomewhere: () => {
      if (known !== null) return null;
      const lookup = { brand, source: request.target.id, segments, country };
      const found = directory.jackpotForSource(lookup, clock.nowMs());
      return found?.status === 'Active' ? null : 'jackpot_not_found';
    },
    amounts: () => (money.ok ? null : money.code),
    callback: () => (isCallbackFine ? null : 'callback_address_not_allowed'),
  });
  return refusal === null ? null : new PublicError(refusal);
}

/** What a caller is answered for the lane's answer. @throws PublicError where the lane refused */
export function answerOf<Answer>(
  { outcome, lane, timestampMs }: LaneAnswer,
  command: Contribute,
  { form, metadata }: WantedAnswer<Answer>,
  context: Pick<GatewayContext, 'lanes' | 'directory' | 'optIns'>,
): Answer | Promise<Answer> {
  switch (outcome.kind) {
    case 'Contributed':
      context.optIns.forget(command.brand, command.player);
      return form.contributed(
        { results: outcome.results, command, timestampMs, metadata },
        context.directory,
      );
    case 'Duplicate': {
      const first = { lane, sequence: outcome.sequence, index: outcome.index };
      return repeatedAnswer(context, first, command, { form, metadata });
    }
    case 'Refused':
      // The message of the lane shows internals; a caller gets the message of the code.
      throw new PublicError(outcome.code);
    default:
      throw new Error(`A contribution was answered with ${outcome.kind}.`);
  }
}

/** A version 4 UUID, as its bytes. */
function newContributionId(context: GatewayContext): Uint8Array {
  const id = context.random.bytes(16);
  id[6] = (id[6]! & 0x0f) | 0x40;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return id;
}
