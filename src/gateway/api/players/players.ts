import { authorize } from '../../../access/rights/authorize.ts';
import type { Anonymous, Principal, ServicePrincipal } from '../../../access/rights/principal.ts';
import { isOfBrand, type PlayerIdentity } from '../../../contracts/payments/player-authentication.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
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

/** The player whose token it is, as the brand's wallet says. @throws PublicError */
export async function tokenPlayer(
  { directory, players }: GatewayContext,
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

/** A player named beside the token must be the token's. @throws PublicError player_mismatch */
export function requireSamePlayer(identity: PlayerIdentity, player: string | null | undefined): void {
  if ((player ?? identity.player) !== identity.player) throw new PublicError('player_mismatch');
}

/** The path of a brand that a frontend names: without a known operator it has to be the path. */
export function publicBrand(directory: ReadModel, brand: string): string {
  const path = directory.entries.brandPath(brand, null);
  if (path === null) throw new PublicError('brand_not_found');
  if (directory.entries.enabled(path) !== true) throw new PublicError('owner_disabled');
  return path;
}

/** The path of an enabled brand; callers with a credential must act for it. @throws PublicError */
export function callersBrand(directory: ReadModel, principal: Principal, brand: string): string {
  if (principal.kind === 'service') return scopedBrand(directory, principal, brand).path;
  if (authorize(principal, 'read', brand) !== 'allowed') throw new PublicError('brand_not_found');
  return publicBrand(directory, brand);
}

/** The brand whose player's tickets are asked for: of the service, or of the token that is shown. */
export async function brandOfTickets(
  context: GatewayContext,
  principal: ServicePrincipal | Anonymous,
  { brand, player }: { readonly brand: string; readonly player: string },
  frontend: Frontend,
): Promise<string> {
  const { directory } = context;
  if (principal.kind === 'service') return scopedBrand(directory, principal, brand).path;
  const path = publicBrand(directory, brand);
  requireSamePlayer(await tokenPlayer(context, frontend, path), player);
  return path;
}
