import { authorize } from '../../access/authorize.ts';
import type { Anonymous, ServicePrincipal } from '../../access/principal.ts';
import { operatorOf } from '../../contracts/identifiers.ts';
import { maskedWinnerView, type WinnerShape, winnerView } from '../../contracts/winner.ts';
import type { WinnerRecord } from '../../messages/records.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';
import { publicBrand } from './public-brand.ts';
import { type Frontend, tokenPlayer } from './token-player.ts';

/** Whose winners a caller sees, and how. */
export interface WinnerScope {
  readonly operator: string;
  readonly brands: ReadonlySet<string>;
  readonly view: (winner: WinnerRecord) => WinnerShape;
}

/** A frontend names the brand that the player's token is of, and sees the brand's winners masked; else as a service. */
export async function winnerScope(
  context: Pick<GatewayContext, 'directory' | 'players'>,
  principal: ServicePrincipal | Anonymous,
  brand: string | undefined,
  frontend: Frontend,
): Promise<WinnerScope> {
  if (principal.kind !== 'anonymous') return serviceWinnerScope(context, principal, brand);
  if (brand === undefined)
    throw new PublicError('invalid_parameter', 'The field brand_id is missing or not valid.');
  const path = publicBrand(context.directory, brand);
  await tokenPlayer(context, frontend, path);
  return { operator: operatorOf(path), brands: new Set([path]), view: maskedWinnerView };
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
