import * as z from 'zod';
import { sourcePriorities, sourceShape } from '../../../../../contracts/directory/source.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { sourceView } from './source-view.ts';

/**
 * A17: priorities of a source's jackpots, by instance id. `segment_id` holds the source id, as the interface has it.
 * Answers with the source. `not_mapped` where an instance is not bound to it. Under the four-eyes rule it
 * needs a second administrator.
 */
export const orderSourceOperation = defineOperation({
  id: 'A17',
  name: 'Set jackpot priorities of a source',
  method: 'PUT',
  path: '/config/sources/priorities',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: sourcePriorities },
  output: z.array(sourceShape),
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { brand_id: owner, segment_id: id } = body;
    const { directory, lanes } = context;
    requireOwner(context, principal, 'configure', owner);
    const source = directory.entries.sources.get(ownedKey(owner, id));
    if (source === undefined) throw new PublicError('source_not_found');
    const priorities = Object.entries(body.priorities);
    const bound = new Set(directory.lanes.bindings('source', owner, id).map((binding) => binding.instance));
    if (priorities.some(([instance]) => !bound.has(instance)))
      throw new PublicError(directory.unknownOr('not_mapped'));
    const proposed = await proposedChange(context, request, owner);
    if (proposed !== null) return proposed;
    const known = priorities[0] === undefined ? undefined : directory.known(priorities[0][0]);
    if (known !== undefined)
      requireSuccess(
        await lanes.send(known.lane, { kind: 'SetBindingPriorities', of: 'source', owner, id, priorities }),
      );
    return { status: 200, body: [sourceView(directory, source)] };
  },
});
