import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { PublicError } from '../../../../base/errors.ts';
import { enabledBrand, type ScopedBrand } from '../../../contribution/brand-scope.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireAllowed } from './owner-access.ts';

/**
 * The enabled brand whose players an administrator moves money for; `operator` is the one of a bare brand, null: there is none.
 * @throws PublicError brand_not_found, forbidden, owner_disabled
 */
export function requirePlayersBrand(
  { directory }: Pick<GatewayContext, 'directory'>,
  principal: AdministratorPrincipal,
  brand: string,
  operator: string | null,
): ScopedBrand {
  const path = directory.entries.brandPath(brand, operator);
  const entry = path === null ? undefined : directory.brand(path);
  if (path === null || entry === undefined) throw new PublicError('brand_not_found');
  requireAllowed(principal, 'move_money', path, 'brand_not_found');
  return enabledBrand(directory, path, entry);
}
