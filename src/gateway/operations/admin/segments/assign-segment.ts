import { segmentAssignment } from '../../../../contracts/segment.ts';
import { defineOperation } from '../../../operation.ts';
import { bindSegment } from './bind-segment.ts';
import { requireSegment } from './require-segment.ts';

/**
 * A10: binds an instance to a segment, after its other jackpots. Binding it again changes nothing. Refuses an instance
 * of another group (`group_mismatch`).
 */
export const assignSegment = defineOperation({
  id: 'A10',
  name: 'Assign a jackpot to a segment',
  method: 'POST',
  path: '/config/segments/assign',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentAssignment },
  output: 'empty',
  refusals: [404],
  async handle({ principal, body }, context) {
    const { owner_id, segment_id, instance_id } = body;
    requireSegment(context, principal, owner_id, segment_id);
    await bindSegment(context, principal, owner_id, segment_id, instance_id, null);
    return { status: 204 };
  },
});
