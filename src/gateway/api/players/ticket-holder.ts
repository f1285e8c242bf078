import type { Anonymous, ServicePrincipal } from '../../../access/rights/principal.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { publicBrand } from './public-brand.ts';
import { type Frontend, requireSamePlayer, tokenPlayer } from './token-player.ts';

/** The path of the brand of a player whose tickets are asked for: a service's player, or the one whose token is shown. */
export async function brandOfTickets(
  context: Pick<GatewayContext, 'directory' | 'players'>,
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
