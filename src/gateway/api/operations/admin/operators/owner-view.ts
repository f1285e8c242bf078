import type { BrandEntry } from '../../../../../contracts/directory/directory.ts';
import { brandOf } from '../../../../../contracts/fields/identifiers.ts';
import { noRule } from '../../../../../directory/four-eyes/rule.ts';
import type { OperatorEntry } from '../../../../../directory/owners.ts';

/** An operator with its brands, as A2 and A4 show it. The path of an operator is its id, of a brand `operator:brand`. */
export function operatorView(operator: OperatorEntry, brands: readonly BrandEntry[]) {
  return {
    id: operator.id,
    path: operator.id,
    name: operator.name,
    enabled: operator.enabled,
    created_timestamp: operator.created_timestamp,
    brands: brands.map(brandView),
    ...(operator.public_winners === true ? { public_winners: true } : {}),
    ...(operator.fairness === 'signed_in' ? { fairness: operator.fairness } : {}),
    four_eyes: operator.four_eyes ?? noRule,
    ...(operator.quota === undefined ? {} : { quota: operator.quota }),
  };
}

function brandView(brand: BrandEntry) {
  return {
    id: brandOf(brand.path) ?? brand.path,
    path: brand.path,
    name: brand.name,
    enabled: brand.enabled,
    created_timestamp: brand.created_timestamp,
    ...(brand.public_winners === true ? { public_winners: true } : {}),
  };
}
