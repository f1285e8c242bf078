import { switchExecution, switchUnderWay } from '../../../../../contracts/jackpots/model-switch.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance } from '../shared/owner-access.ts';
import { endOfSwitch } from './end-of-switch.ts';
import { transferRules } from './transfer-rules.ts';

/**
 * A29: moves everything of the source to the target, which goes on in its place. 204 once it is done; 202 where it takes longer
 * than five seconds: it goes on by itself, and A32 shows `switch` until `switched_to`. The same request again is the same switch.
 * `user_id` must be the caller's (`actor_mismatch`). If-Match names the source's version. Under the four-eyes rule it needs a
 * second administrator, who approves the target of this version.
 */
export const executeSwitchOperation = defineOperation({
  id: 'A29',
  name: 'Model switch execution',
  method: 'POST',
  path: '/config/model-switch/execute',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { body: switchExecution },
  output: 'empty',
  refusals: [404, 409],
  headers: ['If-Match'],
  fourEyes: true,
  underWay: switchUnderWay,
  async handle(request, context) {
    const { principal, body, headers, approved } = request;
    const version = expectedVersion(headers);
    if (body.user_id !== principal.subject) throw new PublicError('actor_mismatch');
    const source = requireInstance(context, principal, 'move_money', body.source_instance_id);
    const target = requireInstance(context, principal, 'move_money', body.target_instance_id);
    requireReason(body.reason);
    if (approved !== null && approved.attempt > 1) {
      const { switchedTo } = await describeInstance(context, source.lane, body.source_instance_id);
      if (switchedTo === body.target_instance_id) return { status: 204 };
    }
    if (source.description.group !== target.description.group) throw new PublicError('group_mismatch');
    const checkNew = () => requireVersion(version, source.liveValues.version);
    const { version: present } = await describeInstance(context, target.lane, body.target_instance_id);
    const owners = [source.description.owner, target.description.owner];
    const fences = () => ({ target: present });
    const proposed = await proposedChange(context, request, owners, { checkNew, fences });
    if (proposed !== null) return proposed;
    const targetVersion = await approved?.fence('target', present);
    // In the first version of the engine no lane compares it; a later attempt may find what an earlier one has changed.
    if (approved?.attempt === 1 && targetVersion !== present) throw new PublicError('version_conflict');
    const answer = await context.lanes.send(source.lane, {
      kind: 'SwitchModel',
      instance: body.source_instance_id,
      target: body.target_instance_id,
      rules: transferRules(body.pot_rules),
      transferOptIns: body.transfer_optins,
      override: body.override === true,
      reason: body.reason,
      user: principal.subject,
      ...(version === null ? {} : { expectedVersion: version }),
      ...(targetVersion === undefined ? {} : { targetVersion }),
    });
    requireSuccess(answer);
    return endOfSwitch(context, source.lane, body.source_instance_id, body.target_instance_id);
  },
});
