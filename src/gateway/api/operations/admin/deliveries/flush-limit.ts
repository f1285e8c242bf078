import type { DeliveryRow } from '../../../../../contracts/payments/delivery-questions.ts';
import { type FourEyesRule, isAboveLimit } from '../../../../../directory/four-eyes/rule.ts';

/** Whether a delivery is a flush above the limit; a callback has no amount. */
export function isLargeFlush({ amount }: DeliveryRow, rule: FourEyesRule): boolean {
  return amount !== '' && isAboveLimit(BigInt(amount), rule);
}
