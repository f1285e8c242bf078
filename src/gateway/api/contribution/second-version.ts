import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import type { ContributionV2 } from '../../../contracts/contributions/contribution.ts';
import { isOwnId } from '../../../contracts/fields/identifiers.ts';
import type { ContributionOrigin } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import { oneKey } from '../../base/idempotency-key.ts';
import { requireOperator } from './operator-scope.ts';
import type { ContributionRequest } from './request.ts';

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

/** What a contribution says of where it came from; null: a game round, and no game named. Most contributions say nothing else. */
export function originOf(
  type: string,
  gameCode: string | null | undefined,
  gameCategory: string | null | undefined,
): ContributionOrigin | null {
  const sourceType = type === 'gameround' ? '' : type;
  if (sourceType === '' && !gameCode && !gameCategory) return null;
  return { gameCode: gameCode ?? '', gameCategory: gameCategory ?? '', sourceType };
}
