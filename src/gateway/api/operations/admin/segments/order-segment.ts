import * as z from 'zod';
import { segmentPriorities, segmentShape } from '../../../../../contracts/directory/segment.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireSegment } from './require-segment.ts';
import { segmentView } from './segment-view.ts';

/**
 * A11: priorities of a segment's jackpots, by instance id. Answers with the segment. `not_mapped` where an instance is
 * not bound to it. Under the four-eyes rule it needs a second administrator.
 */
export const orderSegmentOperation = defineOperation({
  id: 'A11',
  name: 'Set jackpot priorities of a segment',
  method: 'PUT',
  path: '/config/segments/priorities',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentPriorities },
  output: z.array(segmentShape),
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { brand_id: owner, segment_id: id } = body;
    const { directory, lanes } = context;
    const segment = requireSegment(context, principal, owner, id);
    const priorities = Object.entries(body.priorities);
    const bound = new Set(directory.lanes.bindings('segment', owner, id).map((binding) => binding.instance));
    if (priorities.some(([instance]) => !bound.has(instance)))
      throw new PublicError(directory.unknownOr('not_mapped'));
    const proposed = await proposedChange(context, request, owner);
    if (proposed !== null) return proposed;
    const known = priorities[0] === undefined ? undefined : directory.known(priorities[0][0]);
    if (known !== undefined)
      requireSuccess(
        await lanes.send(known.lane, { kind: 'SetBindingPriorities', of: 'segment', owner, id, priorities }),
      );
    return { status: 200, body: [segmentView(directory, segment)] };
  },
});
