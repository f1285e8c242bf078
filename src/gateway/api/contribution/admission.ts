import type { ErrorCode } from '../../../contracts/errors/codes.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import { isBrandAllowed, isCountryAllowed } from '../../../messages/admission.ts';

/** Whether an instance takes a brand and a country, for `firstRefusal`; `country` null: none is given. */
export function admission(
  { configuration, description }: KnownInstance,
  brand: string,
  country: string | null,
) {
  return {
    brand: (): ErrorCode | null =>
      isBrandAllowed(configuration, description.owner, brand) ? null : 'brand_not_allowed',
    country: (): ErrorCode | null =>
      country === null || isCountryAllowed(configuration, country) ? null : 'country_not_allowed',
  };
}
