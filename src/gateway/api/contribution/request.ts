import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import type {
  CallbackOptions,
  ContributionV2,
  InstanceContribution,
  SourceContribution,
} from '../../../contracts/contributions/contribution.ts';
import { isOwnId } from '../../../contracts/fields/identifiers.ts';
import type { ContributionOrigin } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import { oneKey } from '../../base/idempotency-key.ts';
import { requireOperator } from './brand-scope.ts';

/** Common to O8, O9 and O16 once their shapes are read. */
export interface ContributionRequest {
  readonly target: { readonly type: 'instance' | 'source'; readonly id: string };
  /** As given: a brand path or a bare brand. */
  readonly brand: string;
  readonly player: string;
  /** The player's session. Where the brand has a wallet it is checked there; it goes nowhere else. */
  readonly token: string;
  readonly country: string;
  readonly segments: readonly string[];
  readonly gameround: string | null;
  readonly baseWager: number | string;
  readonly currency: string;
  readonly idempotencyKey: string | null;
  readonly linked: boolean;
  readonly vertical: string;
  readonly bonus: { readonly id: string; readonly amount: number | string; readonly currency: string } | null;
  readonly callback: CallbackOptions | null;
  /** What W3 names as provider; empty: the brand's own. */
  readonly provider: string;
  readonly origin: ContributionOrigin | null;
  readonly metadata: unknown;
  readonly eventMetadata: unknown;
}

/** O16 answers with a list, O8 and O9 with one result; administrators' without `bonus_amount_used`. */
export type ResultShape = 'one' | 'list' | 'without_bonus';

type FirstVersionBody = Omit<
  InstanceContribution & SourceContribution,
  'instance_id' | 'source_id' | 'segments' | 'callback' | 'idempotency_key'
> &
  Partial<Pick<InstanceContribution, 'callback' | 'idempotency_key'>>;

/** O8 and O9 differ in target and segments only. @throws PublicError where body and header name two keys */
export function firstVersionRequest(
  body: FirstVersionBody,
  target: ContributionRequest['target'],
  segments: readonly string[],
  keyOfHeader: string | null,
): ContributionRequest {
  return {
    target,
    brand: body.brand_id,
    player: body.player_id,
    token: body.token,
    country: body.player_country,
    segments,
    gameround: body.gameround_id ?? null,
    baseWager: body.base_wager,
    currency: body.currency,
    idempotencyKey: oneKey(keyOfHeader, body.idempotency_key),
    linked: false,
    vertical: '',
    bonus: null,
    callback: body.callback ?? null,
    provider: '',
    origin: null,
    metadata: body.metadata,
    eventMetadata: body.event_metadata,
  };
}

/** The body of O16, and a line of the contribution stream. @throws PublicError */
export function secondVersionRequest(
  { target, source, operator_id, player, base_wager, metadata, event_metadata, options }: ContributionV2,
  principal: ServicePrincipal,
  keyOfHeader: string | null,
): ContributionRequest {
  if (target.type === 'instance' && !isOwnId(target.id)) throw new PublicError('invalid_identifier');
  requireOperator(principal, operator_id);
  const bonus = options?.bonus ?? null;
  return {
    target,
    brand: player.brand_id,
    player: player.id,
    token: player.token,
    country: player.country,
    segments: player.segments ?? [],
    gameround: source.id,
    baseWager: base_wager.value,
    currency: base_wager.currency,
    idempotencyKey: oneKey(keyOfHeader, options?.idempotency_key),
    linked: options?.allow_linked_contributions ?? false,
    vertical: options?.vertical_id ?? '',
    bonus: bonus === null ? null : { id: bonus.bonus_id, amount: bonus.amount, currency: bonus.currency },
    callback: options?.callback ?? null,
    provider: '',
    origin: originOf(source.type, options?.game_code, options?.game_category),
    metadata,
    eventMetadata: event_metadata,
  };
}

/** Where a contribution came from; null: a game round without a named game, as most. */
export function originOf(
  type: string,
  gameCode: string | null | undefined,
  gameCategory: string | null | undefined,
): ContributionOrigin | null {
  const sourceType = type === 'gameround' ? '' : type;
  if (sourceType === '' && !gameCode && !gameCategory) return null;
  return { gameCode: gameCode ?? '', gameCategory: gameCategory ?? '', sourceType };
}
