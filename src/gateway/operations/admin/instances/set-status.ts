import * as z from 'zod';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { instanceShape, statusChange } from '../../../../contracts/instance.ts';
import { instanceView } from '../../../../contracts/instance-view.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { expectedVersion, requireReason } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/**
 * Moves an instance to another status, with a reason; `to` names the instance that takes the balances of a completed
 * one. The engine judges the move (docs/rules/statuses.md "Transitions"). Takes If-Match.
 */
export const setStatus = defineOperation({
  id: 'instances.status',
  name: 'Change the status of an instance',
  method: 'POST',
  path: '/config/instances/{instance_id}/status',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'operate' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: statusChange },
  output: instanceShape,
  headers: ['If-Match'],
  async handle({ principal, params, body, headers }, context) {
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const version = expectedVersion(headers);
    const known = requireInstance(context, principal, 'operate', instance);
    if (body.to !== null && body.to !== undefined) {
      const taker = requireInstance(context, principal, 'operate', body.to);
      if (taker.description.group !== known.description.group) throw new PublicError('group_mismatch');
    }
    requireReason(body.reason);
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetStatus',
      instance,
      status: body.status,
      reason: body.reason,
      to: body.to ?? '',
      user: principal.subject,
      expectedVersion: version,
    });
    requireSuccess(answer);
    return { status: 200, body: instanceView(await describeInstance(context, known.lane, instance)) };
  },
});
