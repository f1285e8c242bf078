import { switchCancellation } from '../../../../../contracts/jackpots/model-switch.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance } from '../shared/owner-access.ts';

/**
 * Ends a switch before its last command: the source is as before, and what was copied is taken back from the target. A
 * switch that is done, or not under way, is `invalid_transition`. A repeat is 204. Never needs a second administrator.
 */
export const cancelSwitchOperation = defineOperation({
  id: 'switches.cancel',
  name: 'Cancel a model switch',
  method: 'DELETE',
  path: '/config/model-switch/execute',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { body: switchCancellation },
  output: 'empty',
  refusals: [404],
  async handle({ principal, body }, context) {
    const source = requireInstance(context, principal, 'move_money', body.source_instance_id);
    requireInstance(context, principal, 'move_money', body.target_instance_id);
    requireReason(body.reason);
    const answer = await context.lanes.send(source.lane, {
      kind: 'CancelSwitch',
      instance: body.source_instance_id,
      target: body.target_instance_id,
      reason: body.reason,
      user: principal.subject,
    });
    requireSuccess(answer);
    return { status: 204 };
  },
});
