import * as z from 'zod';
import { contributionResult, contributionV2 } from '../../../contracts/contribution.ts';
import { isOwnId } from '../../../contracts/identifiers.ts';
import type { ContributionOrigin } from '../../../messages/player-commands.ts';
import { contribute } from '../../contribution/contribute.ts';
import { requireOperator } from '../../contribution/operator-scope.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation } from '../../operation.ts';

/**
 * O16: one contribution to an instance or a source and, with `allow_linked_contributions`, to its linked instances.
 * Answers with one result for each instance, the main one first. The source's type and the game's code and category are
 * recorded with the contribution, and reach the wallet.
 */
export const contributeV2 = defineOperation({
  id: 'O16',
  name: 'Contribute (version 2)',
  method: 'POST',
  path: '/v2/jackpot/contributions',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { body: contributionV2 },
  output: z.array(contributionResult),
  refusals: [403, 404, 409],
  limits: { contribution: true },
  handle({ principal, body, inexactNumber }, context) {
    const { target, player, options } = body;
    if (target.type === 'instance' && !isOwnId(target.id)) throw new PublicError('invalid_identifier');
    requireOperator(principal, body.operator_id);
    const bonus = options?.bonus ?? null;
    return contribute(
      {
        target,
        brand: player.brand_id,
        player: player.id,
        token: player.token,
        country: player.country,
        segments: player.segments ?? [],
        gameround: body.source.id,
        baseWager: body.base_wager.value,
        currency: body.base_wager.currency,
        idempotencyKey: options?.idempotency_key ?? null,
        linked: options?.allow_linked_contributions ?? false,
        vertical: options?.vertical_id ?? '',
        bonus: bonus === null ? null : { id: bonus.bonus_id, amount: bonus.amount, currency: bonus.currency },
        callback: options?.callback ?? null,
        provider: '',
        origin: originOf(body.source.type, options?.game_code, options?.game_category),
        metadata: body.metadata,
        eventMetadata: body.event_metadata,
        inexactNumber,
      },
      principal,
      context,
      'list',
    );
  },
});

/** null: a game round, and no game named. Most contributions say nothing else. */
function originOf(
  type: string,
  gameCode: string | null | undefined,
  gameCategory: string | null | undefined,
): ContributionOrigin | null {
  const sourceType = type === 'gameround' ? '' : type;
  const named = { gameCode: gameCode ?? '', gameCategory: gameCategory ?? '', sourceType };
  return Object.values(named).every((each) => each === '') ? null : named;
}
