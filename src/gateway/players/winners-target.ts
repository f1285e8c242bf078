import type { ServicePrincipal } from '../../access/principal.ts';
import { isCountry } from '../../contracts/countries.ts';
import type { WinnersV2Body } from '../../contracts/winner.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { requireOperator } from '../contribution/operator-scope.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';
import { targetInstance } from './target-instance.ts';
import { serviceWinnerScope, type WinnerScope } from './winner-scope.ts';

/** The instance that O17 and O19 ask for, and whose winners the caller sees of it. */
export function winnersTarget(
  context: GatewayContext,
  principal: ServicePrincipal,
  body: WinnersV2Body,
): { readonly known: KnownInstance; readonly scope: WinnerScope } {
  requireOperator(principal, body.operator_id);
  const { target, player } = body;
  const brand = scopedBrand(context.directory, principal, player.brand_id).path;
  const known = targetInstance(context, {
    target,
    brand,
    country: player.country,
    segments: player.segments ?? [],
  });
  if (!isCountry(player.country)) throw new PublicError('country_invalid');
  const scope = serviceWinnerScope(
    context,
    principal,
    body.winners_for_player_brand === true ? brand : undefined,
  );
  return { known, scope };
}
