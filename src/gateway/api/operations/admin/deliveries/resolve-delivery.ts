import * as z from 'zod';
import {
  deliveryIdField,
  deliveryResolution,
  deliveryShape,
} from '../../../../../contracts/payments/delivery.ts';
import type { FourEyesRule } from '../../../../../directory/four-eyes/rule.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { deliveryRows, findDelivery, missingDelivery } from './find.ts';
import { isLargeFlush } from './flush-limit.ts';
import { ownersOfDelivery } from './owners.ts';
import { deliveryView } from './view.ts';

/**
 * Ends a dead delivery: a person knows whether the receiver has the money of a flush (`confirmed`) or not (`failed`, back to
 * the pool). A callback is forgotten. Under the four-eyes rule a flush above the limit needs a second administrator.
 */
export const resolveDeliveryOperation = defineOperation({
  id: 'deliveries.resolve',
  name: 'Resolve a delivery',
  method: 'POST',
  path: '/config/deliveries/{id}/resolve',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  refusals: [404],
  input: { params: z.strictObject({ id: deliveryIdField }), body: deliveryResolution },
  output: deliveryShape,
  fourEyes: true,
  auditOwners: ownersOfDelivery,
  async handle(request, context) {
    const { principal, params, body } = request;
    const { lane, row } = await findDelivery(context, principal, params.id);
    requireReason(body.reason);
    if (row.state !== 'dead') throw new PublicError('invalid_transition', `The delivery is ${row.state}.`);
    const isNeeded = (rule: FourEyesRule) => isLargeFlush(row, rule);
    const proposed = await proposedChange(context, request, row.owner, { isNeeded });
    if (proposed !== null) return proposed;
    const [after] = await deliveryRows(context, lane, {
      kind: 'resolve',
      id: params.id,
      result: body.result,
    });
    if (after === undefined) throw missingDelivery();
    const view = deliveryView(after, context.clock.nowMs());
    return { status: 200, body: { ...view, state: 'resolved', next_try_timestamp: null } };
  },
});
