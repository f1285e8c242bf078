import { authorize } from '../../../access/rights/authorize.ts';
import type { Anonymous, ServicePrincipal } from '../../../access/rights/principal.ts';
import { brandOf, operatorOf } from '../../../contracts/fields/identifiers.ts';
import {
  maskedWinnerView,
  publicWinnerView,
  type ShownWinnerShape,
  type WinnerShape,
  winnerView,
} from '../../../contracts/jackpots/winner.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import type { WinnerRecord } from '../../../messages/records.ts';
import { PublicError } from '../../base/errors.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { publicBrand } from './public-brand.ts';
import { visibleInstance } from './target-instance.ts';
import { type Frontend, tokenPlayer } from './token-player.ts';

/** Whose winners a caller sees, and how. */
export interface WinnerScope<View = WinnerShape> {
  readonly operator: string;
  readonly brands: ReadonlySet<string>;
  readonly view: (winner: WinnerRecord) => View;
}

/**
 * The instance of O10 or O11 and whose winners the caller sees of it. A frontend names the brand that the player's token
 * is of, and sees the brand's winners masked; without a token too, where the brand shows them to everybody.
 */
export async function winnersOfInstance(
  context: Pick<GatewayContext, 'directory' | 'players'>,
  principal: ServicePrincipal | Anonymous,
  { instance, brand }: { readonly instance: string; readonly brand: string | undefined },
  frontend: Frontend,
): Promise<{ readonly known: KnownInstance; readonly scope: WinnerScope<ShownWinnerShape> }> {
  const { directory } = context;
  if (principal.kind === 'anonymous' && frontend.token === null)
    return publicWinners(directory, instance, brand);
  const scope =
    principal.kind === 'anonymous'
      ? await playersWinnerScope(context, brand, frontend)
      : serviceWinnerScope(context, principal, brand);
  return { known: visibleInstance(context, instance, scope.operator), scope };
}

/** A service sees the players of its brands, or of the one it names. */
export function serviceWinnerScope(
  { directory }: Pick<GatewayContext, 'directory'>,
  principal: ServicePrincipal,
  brand: string | undefined,
): WinnerScope {
  const { operator } = principal;
  if (brand !== undefined) {
    return {
      operator,
      brands: new Set([scopedBrand(directory, principal, brand).path]),
      view: winnerView,
    };
  }
  if (directory.entries.enabled(operator) !== true) throw new PublicError('owner_disabled');
  const paths = directory.entries.brandsOf(operator).map(({ path }) => path);
  const brands = new Set(paths.filter((path) => authorize(principal, 'read', path) === 'allowed'));
  return { operator, brands, view: winnerView };
}

/** A player sees the winners of its own brand, masked. */
export function brandsWinnerScope(path: string): WinnerScope {
  return { operator: operatorOf(path), brands: new Set([path]), view: maskedWinnerView };
}

async function playersWinnerScope(
  context: Pick<GatewayContext, 'directory' | 'players'>,
  brand: string | undefined,
  frontend: Frontend,
): Promise<WinnerScope> {
  if (brand === undefined)
    throw new PublicError('invalid_parameter', 'The field brand_id is missing or not valid.');
  const path = publicBrand(context.directory, brand);
  await tokenPlayer(context, frontend, path);
  return brandsWinnerScope(path);
}

/** A brand that is missing is one that shows no winners. */
function publicWinners(directory: ReadModel, instance: string, brand = '') {
  const operator = operatorOf(brand);
  if (directory.entries.enabled(brand) !== true || !showsWinners(directory, brand))
    throw new PublicError('player_token_required');
  const known = visibleInstance({ directory }, instance, operator);
  const { owner } = known.description;
  if (operatorOf(owner) !== operator && !showsWinners(directory, owner))
    throw new PublicError('player_token_required');
  const view = (winner: WinnerRecord) => publicWinnerView(winner, instance);
  return { known, scope: { operator, brands: new Set([brand]), view } };
}

function showsWinners({ entries }: ReadModel, owner: string): boolean {
  const entry = brandOf(owner) === null ? entries.operators.get(owner) : entries.brands.get(owner);
  return entry?.public_winners === true;
}
