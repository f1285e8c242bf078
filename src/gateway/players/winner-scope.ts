import type { Anonymous, ServicePrincipal } from '../../access/principal.ts';
import { operatorOf } from '../../contracts/identifiers.ts';
import type { WinnerRecord } from '../../contracts/log/messages.ts';
import { maskedWinnerView, type WinnerShape, winnerView } from '../../contracts/winner.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { PublicError } from '../errors.ts';
import type { GatewayContext } from '../operation.ts';

/** Whose winners a caller sees, and how. */
export interface WinnerScope {
  readonly operator: string;
  readonly brands: ReadonlySet<string>;
  readonly view: (winner: WinnerRecord) => WinnerShape;
}

/** A service sees the players of its brands, or of the one it names; a frontend names a brand and sees them masked. */
export function winnerScope(
  { directory }: Pick<GatewayContext, 'directory'>,
  principal: ServicePrincipal | Anonymous,
  brand: string | undefined,
): WinnerScope {
  if (principal.kind === 'anonymous') {
    if (brand === undefined)
      throw new PublicError('invalid_parameter', 'The field brand_id is missing or not valid.');
    const path = directory.entries.brandPath(brand, null);
    if (path === null) throw new PublicError('brand_not_found');
    if (directory.entries.enabled(path) !== true) throw new PublicError('owner_disabled');
    return { operator: operatorOf(path), brands: new Set([path]), view: maskedWinnerView };
  }
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
  const brands = new Set(
    principal.brands === null ? paths : paths.filter((path) => principal.brands?.has(path)),
  );
  return { operator, brands, view: winnerView };
}
