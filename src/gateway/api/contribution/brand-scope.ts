import { authorize } from '../../../access/rights/authorize.ts';
import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import { brandPath, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { PublicError } from '../../base/errors.ts';

export interface ScopedBrand {
  readonly path: string;
  readonly entry: { readonly wallet: boolean };
}

/** A brand that the caller may act for. A foreign brand is answered as a missing one. */
export function scopedBrand(directory: ReadModel, principal: ServicePrincipal, brand: string): ScopedBrand {
  const path = brand.includes(':') ? brand : brandPath(principal.operator, brand);
  const decision = authorize(principal, 'contribute', path);
  const entry = directory.brand(path);
  if (decision === 'foreign' || entry === undefined) throw new PublicError('brand_not_found');
  if (decision === 'forbidden') throw new PublicError('brand_forbidden');
  return enabledBrand(directory, path, entry);
}

/** @throws PublicError owner_disabled */
export function enabledBrand(
  directory: ReadModel,
  path: string,
  entry: ScopedBrand['entry'] & { readonly enabled: boolean },
): ScopedBrand {
  if (!entry.enabled || directory.operator(operatorOf(path))?.enabled !== true) {
    throw new PublicError('owner_disabled');
  }
  return { path, entry };
}

/** The operator that a body names must be the caller's. A foreign one is answered as a missing one. */
export function requireOperator(principal: ServicePrincipal, operator: string): void {
  if (authorize(principal, 'contribute', operator) !== 'allowed') throw new PublicError('operator_not_found');
}
