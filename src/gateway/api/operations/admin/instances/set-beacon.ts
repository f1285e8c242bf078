import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { beaconInput, epochField } from '../../../../../contracts/jackpots/instance.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/**
 * Hands in the beacon (32 bytes in hex) of an epoch that is committed and has not begun (docs/decisions/0080). The
 * lane decides whether it still may; the same bytes again are no fault.
 */
export const setBeaconOperation = defineOperation({
  id: 'instances.beacon',
  name: 'Hand in the beacon of a draw epoch',
  method: 'PUT',
  path: '/config/instances/{instance_id}/epochs/{epoch}/beacon',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'secure' },
  input: { params: z.strictObject({ instance_id: ownIdField, epoch: epochField }), body: beaconInput },
  output: 'empty',
  refusals: [404, 409],
  async handle({ principal, params, body }, context) {
    const { epoch, instance_id: instance } = params;
    requireSameId(body.instance_id, instance);
    if (body.epoch !== null && body.epoch !== undefined && body.epoch !== epoch)
      throw new PublicError('invalid_request');
    const { lane } = requireInstance(context, principal, 'secure', instance);
    requireReason(body.reason);
    const beacon = new Uint8Array(Buffer.from(body.beacon, 'hex'));
    const answer = await context.lanes.send(lane, { kind: 'OpenEpoch', instance, epoch, seeds: [], beacon });
    requireSuccess(answer);
    return { status: 204 };
  },
});
