import type { DeliveryRow } from '../../../../contracts/delivery-questions.ts';
import { type FourEyesRule, isAboveLimit } from '../../../approvals/four-eyes.ts';

/** Whether a delivery is a flush above the limit; a callback has no amount. */
export function isLargeFlush({ amount }: DeliveryRow, rule: FourEyesRule): boolean {
  return amount !== '' && isAboveLimit(BigInt(amount), rule);
}
