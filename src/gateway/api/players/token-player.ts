import { isOfBrand, type PlayerIdentity } from '../../../contracts/payments/player-authentication.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext, OperationRequest } from '../operation/operation.ts';

/** Longer than any wallet's; the header block is bounded besides. */
const maxTokenLength = 4_096;

/** Who speaks for a player. */
export interface Frontend {
  /** null: it shows none. */
  readonly token: string | null;
  /** Its network address. */
  readonly address: string;
}

export function frontendOf({ headers, address }: Pick<OperationRequest, 'headers' | 'address'>): Frontend {
  const token = headers['x-player-token'];
  return { token: typeof token === 'string' ? token : null, address };
}

/**
 * The player whose token it is, as the brand's wallet says (docs/rules/http.md "Callers"). The currency is the one of the
 * request where it names one: it helps the wallet, and is no claim of the player's.
 * @throws PublicError player_token_required, player_token_invalid, player_mismatch, too_many_attempts, overloaded,
 * wallet_unavailable
 */
export async function tokenPlayer(
  { directory, players }: Pick<GatewayContext, 'directory' | 'players'>,
  { token, address }: Frontend,
  brand: string,
  asked: { readonly currency?: string | null | undefined; readonly source?: string } = {},
): Promise<PlayerIdentity> {
  if (token === null) throw new PublicError('player_token_required');
  if (token === '' || token.length > maxTokenLength || directory.brand(brand)?.wallet !== true)
    throw new PublicError('player_token_invalid');
  const answer = await players.authenticate({
    brand,
    token,
    currency: asked.currency ?? directory.rates(brand)?.base_currency ?? '',
    anyCurrency: true,
    source: asked.source ?? null,
    caller: { kind: 'frontend', address },
  });
  switch (answer.kind) {
    case 'authenticated':
      break;
    case 'refused':
      throw new PublicError('player_token_invalid');
    case 'limited':
      throw new PublicError('too_many_attempts', '', {
        retryAfterSeconds: answer.retryAfterSeconds,
        limitedCaller: address,
      });
    case 'busy':
      throw new PublicError('overloaded');
    case 'unknown':
      throw new PublicError('wallet_unavailable');
  }
  const { identity } = answer;
  if (!isOfBrand(identity, brand)) throw new PublicError('player_mismatch');
  return identity;
}

/** Where a request names a player beside the token, it must be the token's. @throws PublicError player_mismatch */
export function requireSamePlayer(identity: PlayerIdentity, player: string | null | undefined): void {
  if ((player ?? identity.player) !== identity.player) throw new PublicError('player_mismatch');
}
