import { authorize } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { scopedBrand } from '../contribution/brand-scope.ts';
import { PublicError } from '../errors.ts';
import { publicBrand } from './public-brand.ts';

/** The path of an enabled brand that anybody may name; who shows a credential has to act for it. @throws PublicError */
export function callersBrand(directory: ReadModel, principal: Principal, brand: string): string {
  if (principal.kind === 'service') return scopedBrand(directory, principal, brand).path;
  if (authorize(principal, 'read', brand) !== 'allowed') throw new PublicError('brand_not_found');
  return publicBrand(directory, brand);
}
