import type { Anonymous, ServicePrincipal } from '../../../access/rights/principal.ts';
import { isCountry } from '../../../contracts/fields/countries.ts';
import { brandPath, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { WinnersV2Body } from '../../../contracts/jackpots/winner.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import { PublicError } from '../../base/errors.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { requireOperator } from '../contribution/operator-scope.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { publicBrand } from './public-brand.ts';
import { targetInstance } from './target-instance.ts';
import { type Frontend, requireSamePlayer, tokenPlayer } from './token-player.ts';
import { brandsWinnerScope, serviceWinnerScope, type WinnerScope } from './winner-scope.ts';

interface WinnersTarget {
  readonly known: KnownInstance;
  readonly scope: WinnerScope;
}

/** The instance that O17 and O19 ask for, and whose winners the caller sees of it. */
export function winnersTarget(
  context: GatewayContext,
  principal: ServicePrincipal | Anonymous,
  body: WinnersV2Body,
  frontend: Frontend,
): Promise<WinnersTarget> {
  return principal.kind === 'service'
    ? servicesTarget(context, principal, body)
    : playersTarget(context, body, frontend);
}

async function servicesTarget(
  context: GatewayContext,
  principal: ServicePrincipal,
  body: WinnersV2Body,
): Promise<WinnersTarget> {
  requireOperator(principal, body.operator_id);
  const brand = scopedBrand(context.directory, principal, body.player.brand_id).path;
  const known = instanceFor(context, body, brand);
  const scope = serviceWinnerScope(
    context,
    principal,
    body.winners_for_player_brand === true ? brand : undefined,
  );
  return { known, scope };
}

/** What the wallet knows of the player outranks what the frontend says. */
async function playersTarget(
  context: GatewayContext,
  body: WinnersV2Body,
  frontend: Frontend,
): Promise<WinnersTarget> {
  const { operator_id: operator, player } = body;
  const named = player.brand_id.includes(':') ? player.brand_id : brandPath(operator, player.brand_id);
  if (operatorOf(named) !== operator) throw new PublicError('operator_not_found');
  const brand = publicBrand(context.directory, named);
  const identity = await tokenPlayer(context, frontend, brand);
  requireSamePlayer(identity, player.id);
  const criteria = {
    country: identity.country ?? player.country,
    segments: identity.segments ?? player.segments,
  };
  const known = instanceFor(context, { target: body.target, player: criteria }, brand);
  return { known, scope: brandsWinnerScope(brand) };
}

function instanceFor(
  context: GatewayContext,
  { target, player: { country, segments } }: Pick<WinnersV2Body, 'target'> & { readonly player: Criteria },
  brand: string,
): KnownInstance {
  const known = targetInstance(context, { target, brand, country, segments: segments ?? [] });
  if (!isCountry(country)) throw new PublicError('country_invalid');
  return known;
}

interface Criteria {
  readonly country: string;
  readonly segments?: readonly string[] | null | undefined;
}
