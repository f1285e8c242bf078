import * as z from 'zod';
import { deliveryIdField, deliveryResolution, deliveryShape } from '../../../../contracts/delivery.ts';
import type { FourEyesRule } from '../../../approvals/four-eyes.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { findDelivery, missingDelivery, rowsOf } from '../../../deliveries/find.ts';
import { deliveryView } from '../../../deliveries/view.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { isLargeFlush } from './flush-limit.ts';
import { ownersOfDelivery } from './owners.ts';

/**
 * Ends a dead delivery: a person knows whether the receiver has the money of a flush (`confirmed`) or not (`failed`, back to
 * the pool). A callback is forgotten. Under the four-eyes rule a flush above the limit needs a second administrator.
 */
export const resolveDelivery = defineOperation({
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
    const [after] = await rowsOf(context, lane, { kind: 'resolve', id: params.id, result: body.result });
    if (after === undefined) throw missingDelivery();
    const view = deliveryView(after, context.clock.nowMs());
    return { status: 200, body: { ...view, state: 'resolved', next_try_timestamp: null } };
  },
});
