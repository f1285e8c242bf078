import { authorize } from '../../../access/rights/authorize.ts';
import type { Principal } from '../../../access/rights/principal.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { publicBrand } from './public-brand.ts';

/** The path of an enabled brand that anybody may name; who shows a credential has to act for it. @throws PublicError */
export function callersBrand(directory: ReadModel, principal: Principal, brand: string): string {
  if (principal.kind === 'service') return scopedBrand(directory, principal, brand).path;
  if (authorize(principal, 'read', brand) !== 'allowed') throw new PublicError('brand_not_found');
  return publicBrand(directory, brand);
}
