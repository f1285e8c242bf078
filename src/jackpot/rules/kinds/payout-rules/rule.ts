import type { PayoutRule } from '../../../state/configuration/payout-rule.ts';
import type { Reader } from '../../documents/reader.ts';

export interface PayoutRuleType {
  read(parameters: Reader): PayoutRule;
}

/** `max_number_of_payouts`, which every rule has. */
export function readMaxPayouts(parameters: Reader): number {
  if (!parameters.has('max_number_of_payouts')) parameters.fault('max_number_of_payouts', 'is missing');
  return parameters.integer('max_number_of_payouts', 1, 1) ?? 1;
}
