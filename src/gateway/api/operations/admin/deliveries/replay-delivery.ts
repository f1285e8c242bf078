import * as z from 'zod';
import { deliveryIdField, deliveryShape } from '../../../../../contracts/payments/delivery.ts';
import type { FourEyesRule } from '../../../../../directory/four-eyes/rule.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deliveryRows, findDelivery, missingDelivery } from './find.ts';
import { isLargeFlush } from './flush-limit.ts';
import { ownersOfDelivery } from './owners.ts';
import { deliveryView } from './view.ts';

/**
 * Sends a stored delivery again, with the same id: now, and by the whole schedule if that fails. Under the four-eyes rule a
 * dead flush above the limit needs a second administrator.
 */
export const replayDeliveryOperation = defineOperation({
  id: 'deliveries.replay',
  name: 'Replay a delivery',
  method: 'POST',
  path: '/config/deliveries/{id}/replay',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  refusals: [404],
  input: { params: z.strictObject({ id: deliveryIdField }) },
  output: deliveryShape,
  isRepeatable: true,
  auditOwners: ownersOfDelivery,
  fourEyes: true,
  async handle(request, context) {
    const { principal, params } = request;
    const { lane, row: found } = await findDelivery(context, principal, params.id);
    const isNeeded = (rule: FourEyesRule) => found.state === 'dead' && isLargeFlush(found, rule);
    const proposed = await proposedChange(context, request, found.owner, { isNeeded });
    if (proposed !== null) return proposed;
    const [row] = await deliveryRows(context, lane, { kind: 'replay', id: params.id });
    if (row === undefined) throw missingDelivery();
    return { status: 200, body: deliveryView(row, context.clock.nowMs()) };
  },
});
