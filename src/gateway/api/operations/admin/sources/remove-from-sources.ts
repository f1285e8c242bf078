import { sourceAssignment } from '../../../../../contracts/directory/source.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/**
 * A18: unbinds an instance from sources of an owner. `not_mapped` where it is not bound to one of them. Under the four-eyes
 * rule it needs a second administrator.
 */
export const removeFromSourcesOperation = defineOperation({
  id: 'A18',
  name: 'Remove a jackpot from sources',
  method: 'POST',
  path: '/config/sources/remove',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: sourceAssignment },
  output: 'empty',
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    const { owner_id, instance_id } = body;
    const { directory, lanes } = context;
    const sources = [...new Set(body.source_id)];
    requireOwner(context, principal, 'configure', owner_id);
    for (const source of sources) {
      if (!directory.entries.sources.has(ownedKey(owner_id, source)))
        throw new PublicError('source_not_found');
    }
    const known = requireInstance(context, principal, 'configure', instance_id);
    const bound = sources.filter((source) =>
      directory.lanes.bindings('source', owner_id, source).some(({ instance }) => instance === instance_id),
    );
    // An earlier attempt has unbound all of them in one command.
    if (bound.length === 0 && approved !== null && approved.attempt > 1) return { status: 204 };
    if (bound.length < sources.length) throw new PublicError('not_mapped');
    const proposed = await proposedChange(context, request, [owner_id, known.description.owner]);
    if (proposed !== null) return proposed;
    requireSuccess(
      await lanes.send(known.lane, {
        kind: 'Unbind',
        of: 'source',
        owner: owner_id,
        ids: sources,
        instance: instance_id,
      }),
    );
    return { status: 204 };
  },
});
