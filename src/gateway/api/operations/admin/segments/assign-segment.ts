import { segmentAssignment } from '../../../../../contracts/directory/segment.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireReachable } from '../shared/bindable-instance.ts';
import { bindSegment } from './bind-segment.ts';
import { requireSegment } from './require-segment.ts';

/**
 * A10: binds an instance to a segment, after its other jackpots. Binding it again changes nothing. Refuses an instance
 * of another group (`group_mismatch`). Under the four-eyes rule it needs a second administrator.
 */
export const assignSegmentOperation = defineOperation({
  id: 'A10',
  name: 'Assign a jackpot to a segment',
  method: 'POST',
  path: '/config/segments/assign',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentAssignment },
  output: 'empty',
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { owner_id, segment_id, instance_id } = body;
    const { group } = requireSegment(context, principal, owner_id, segment_id);
    const { description } = requireReachable(context, principal, owner_id, instance_id, null);
    if (group !== '' && group !== description.group) throw new PublicError('group_mismatch');
    const proposed = await proposedChange(context, request, [owner_id, description.owner]);
    if (proposed !== null) return proposed;
    await bindSegment(context, principal, owner_id, segment_id, instance_id, null);
    return { status: 204 };
  },
});
