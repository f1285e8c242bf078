import type { OptInBody } from '../../../contracts/jackpots/opt-in.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { type OptInRequest, optInRequest } from './opt-in.ts';
import { publicBrand } from './public-brand.ts';
import { type Frontend, requireSamePlayer, tokenPlayer } from './token-player.ts';

/** A player's own opt-in: the country that the wallet knows outranks the one that the frontend says. */
export async function ownOptIn(
  body: OptInBody,
  instance: string,
  frontend: Frontend,
  context: GatewayContext,
): Promise<OptInRequest> {
  const brand = publicBrand(context.directory, body.brand_id);
  const identity = await tokenPlayer(context, frontend, brand, { currency: body.contribution_currency });
  requireSamePlayer(identity, body.player_id);
  const request = optInRequest(body, instance, brand);
  return { ...request, country: identity.country ?? request.country };
}
