import { isBrandAllowed, isCountryAllowed } from '../../../messages/admission.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { isRoundOver } from '../raffles/end-round.ts';

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
    if (!isBrandAllowed(instance.configuration.rules, instance.facts.owner, brand))
      return refused('brand_not_allowed');
    instance.admittedBrand = brand;
  }
  return country === null || isCountryAllowed(instance.configuration.rules, country)
    ? null
    : refused('country_not_allowed');
}
