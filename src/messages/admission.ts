/** What an instance's rules say about brands and countries. */
export interface AdmissionRules {
  /** null: all brands of the owner. */
  readonly allowedBrands: readonly string[] | null;
  readonly blackList: readonly string[];
  readonly whiteList: readonly string[];
}

/** `owner` is an operator, or a brand path. */
export function isBrandAllowed({ allowedBrands }: AdmissionRules, owner: string, brand: string): boolean {
  if (allowedBrands !== null) return allowedBrands.includes(brand);
  return owner.includes(':') ? owner === brand : brand.startsWith(`${owner}:`);
}

/** The black list wins; an empty white list means all; `DE` covers `DE-BY`. */
export function isCountryAllowed({ blackList, whiteList }: AdmissionRules, country: string): boolean {
  if (blackList.length > 0 && blackList.some((each) => covers(each, country))) return false;
  return whiteList.length === 0 || whiteList.some((each) => covers(each, country));
}

function covers(filter: string, country: string): boolean {
  return filter === country || country.startsWith(`${filter}-`);
}

/**
 * The order in which a contribution or an opt-in is refused (docs/rules/contributions.md "Order of
 * refusals"). The gateway makes some checks; the engine makes the others in straight code, and its tests hold
 * it to this list.
 */
export const refusalOrder = [
  'brandIsKnown',
  'instanceIsKnown',
  'status',
  'countryCode',
  'brand',
  'country',
  'sourceLeadsSomewhere',
  'amounts',
  'caps',
  'callback',
  'optOut',
  'optIn',
  'criteria',
  'tickets',
  'players',
  'openCredits',
  'walletAgreement',
  'openDebits',
  'room',
] as const;

export type RefusalCheck = (typeof refusalOrder)[number];

/** The first of the checks that refuses, in that order; null: none does. Later checks are not made. */
export function firstRefusal<R>(checks: { readonly [check in RefusalCheck]?: () => R | null }): R | null {
  for (const check of refusalOrder) {
    const refusal = checks[check]?.() ?? null;
    if (refusal !== null) return refusal;
  }
  return null;
}
