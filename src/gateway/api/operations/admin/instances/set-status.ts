import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { instanceShape, statusChange } from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange } from '../../../operation/operation.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/**
 * Moves an instance to another status (docs/rules/statuses.md "Transitions"); `to` takes the balances of a
 * completed one. An activation and a completion need approval, of the instance of this version.
 */
export const setStatusOperation = defineChange('operate', {
  id: 'instances.status',
  name: 'Change the status of an instance',
  route: 'POST /config/instances/{instance_id}/status',
  input: { params: z.strictObject({ instance_id: ownIdField }), body: statusChange },
  output: instanceShape,
  refusals: [404, 409],
  headers: ['If-Match'],
  fourEyes: true,
  isHarmless: ({ body: { status } }) => status === 'Paused' || status === 'Cancelled',
  async handle(request, context) {
    const { principal, params, body, headers, approved } = request;
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const to = body.to ?? null;
    if (to !== null && body.status !== 'Completed')
      throw new PublicError('invalid_request', 'The field to is of the status Completed only.');
    const version = expectedVersion(headers);
    const known = requireInstance(context, principal, 'operate', instance);
    if (to !== null) {
      const taker = requireInstance(context, principal, 'operate', to);
      if (taker.description.group !== known.description.group) throw new PublicError('group_mismatch');
    }
    requireReason(body.reason);
    const present = await describeInstance(context, known.lane, instance);
    // Activation approves everything about a Pending instance; an Active one stops and resumes at once.
    const isNeeded = () =>
      body.status === 'Completed' || (body.status === 'Active' && present.status === 'Pending');
    const proposed = await proposedChange(context, request, known.description.owner, {
      isNeeded,
      checkNew: () => requireVersion(version, present.version),
      fences: () => ({ version: present.version }),
    });
    if (proposed !== null) return proposed;
    if (approved !== null && approved.attempt > 1 && present.status === body.status)
      return { status: 200, body: instanceView(present) };
    const fence = (await approved?.fence('version', present.version)) ?? version;
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetStatus',
      instance,
      status: body.status,
      reason: body.reason,
      to: to ?? '',
      user: principal.subject,
      expectedVersion: fence,
    });
    requireSuccess(answer);
    return { status: 200, body: instanceView(await describeInstance(context, known.lane, instance)) };
  },
});
