import { segmentAssignment } from '../../../../../contracts/directory/segment.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance } from '../shared/owner-access.ts';
import { requireSegment } from './require-segment.ts';

/**
 * A12: unbinds an instance from a segment. `not_mapped` where it is not bound. Under the four-eyes rule it needs a second
 * administrator.
 */
export const removeFromSegmentOperation = defineOperation({
  id: 'A12',
  name: 'Remove a jackpot from a segment',
  method: 'POST',
  path: '/config/segments/remove',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentAssignment },
  output: 'empty',
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const { owner_id: owner, segment_id: id, instance_id: instance } = body;
    const { directory, lanes } = context;
    requireSegment(context, principal, owner, id);
    const known = requireInstance(context, principal, 'configure', instance);
    const bindings = directory.lanes.bindings('segment', owner, id);
    if (!bindings.some((binding) => binding.instance === instance)) {
      if (approved !== null && approved.attempt > 1) return { status: 204 };
      throw new PublicError('not_mapped');
    }
    const proposed = await proposedChange(context, request, [owner, known.description.owner]);
    if (proposed !== null) return proposed;
    requireSuccess(
      await lanes.send(known.lane, { kind: 'Unbind', of: 'segment', owner, ids: [id], instance }),
    );
    return { status: 204 };
  },
});
