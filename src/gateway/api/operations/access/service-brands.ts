import { fitsClaims } from '../../../../contracts/accounts/users.ts';
import { brandPath, operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';

/** The paths of the operator's brands that a service user is for, each once. @throws PublicError brand_not_found */
export function serviceBrands(
  { directory }: Pick<GatewayContext, 'directory'>,
  operator: string,
  brands: readonly string[],
): readonly string[] {
  const paths = brands.map((brand) => (brand.includes(':') ? brand : brandPath(operator, brand)));
  const named = [...new Set(paths)];
  for (const brand of named) {
    if (operatorOf(brand) !== operator || directory.brand(brand) === undefined)
      throw new PublicError('brand_not_found');
  }
  if (!fitsClaims(named))
    throw new PublicError(
      'invalid_request',
      'The brands do not fit in a token. Leave them out for all brands.',
    );
  return named;
}
