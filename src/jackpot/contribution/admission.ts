import { type Refusal, refused } from '../../messages/refusals.ts';
import { isRoundOver } from '../raffle/end-round.ts';
import type { Instance } from '../state/instance.ts';

/** Whether an instance takes contributions of a brand and country now; null, or the first reason why not. */
export function admissionRefusal(
  instance: Instance,
  brand: string,
  country: string | null,
  nowMs: number,
): Refusal | null {
  if (instance.status !== 'Active') {
    return instance.suspended
      ? refused('instance_suspended', `the instance is suspended: ${instance.reason}`)
      : refused('instance_not_active');
  }
  if (instance.facts.endMs !== null && nowMs >= instance.facts.endMs) return refused('instance_not_active');
  if (instance.raffle !== null && isRoundOver(instance, nowMs)) return refused('instance_not_active');
  if (instance.enabledMask === 0) return refused('instance_not_active');
  if (instance.admittedBrand !== brand) {
    if (!isBrandAllowed(instance, brand)) return refused('brand_not_allowed');
    instance.admittedBrand = brand;
  }
  return country === null || isCountryAllowed(instance, country) ? null : refused('country_not_allowed');
}

/** Absent list: all brands of the owner. */
export function isBrandAllowed(instance: Instance, brand: string): boolean {
  const allowed = instance.configuration.rules.allowedBrands;
  if (allowed !== null) return allowed.includes(brand);
  const { owner } = instance.facts;
  return owner.includes(':') ? owner === brand : brand.startsWith(`${owner}:`);
}

/** The black list wins; an empty white list means all; `DE` covers `DE-BY`. */
export function isCountryAllowed(instance: Instance, country: string): boolean {
  const { blackList, whiteList } = instance.configuration.rules;
  if (blackList.length > 0 && blackList.some((each) => covers(each, country))) return false;
  return whiteList.length === 0 || whiteList.some((each) => covers(each, country));
}

function covers(filter: string, country: string): boolean {
  return filter === country || country.startsWith(`${filter}-`);
}
