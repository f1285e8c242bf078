import { segmentAssignment } from '../../../contracts/segment.ts';
import { defineOperation } from '../../operation.ts';
import { bindSegment } from './bind-segment.ts';
import { requireSegment } from './require-segment.ts';

/** A new binding gets the highest priority number and 1; what is bound already stays as it is. */
export const assignSegment = defineOperation({
  id: 'A10',
  name: 'Assign a jackpot to a segment',
  method: 'POST',
  path: '/config/segments/assign',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentAssignment },
  output: 'empty',
  async handle({ principal, body }, context) {
    const { owner_id, segment_id, instance_id } = body;
    requireSegment(context, principal, owner_id, segment_id);
    await bindSegment(context, owner_id, segment_id, instance_id, null);
    return { status: 204 };
  },
});
