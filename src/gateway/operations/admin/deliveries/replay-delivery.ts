import * as z from 'zod';
import { deliveryIdField, deliveryShape } from '../../../../contracts/delivery.ts';
import { findDelivery, missingDelivery, rowsOf } from '../../../deliveries/find.ts';
import { deliveryView } from '../../../deliveries/view.ts';
import { defineOperation } from '../../../operation.ts';
import { ownersOfDelivery } from './owners.ts';

/** Sends a stored delivery again, with the same id: now, and by the whole schedule if that fails. */
export const replayDelivery = defineOperation({
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
  async handle({ principal, params }, context) {
    const { lane } = await findDelivery(context, principal, params.id);
    const [row] = await rowsOf(context, lane, { kind: 'replay', id: params.id });
    if (row === undefined) throw missingDelivery();
    return { status: 200, body: deliveryView(row, context.clock.nowMs()) };
  },
});
