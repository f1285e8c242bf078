import { sourceAssignment } from '../../../../../contracts/directory/source.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { bindSources, checkSourceBinding } from './bind-sources.ts';

/**
 * A16: binds an instance to sources of an owner (1 to 200), after their other jackpots. Refuses unknown sources and an
 * instance of another group (`group_mismatch`). Under the four-eyes rule it needs a second administrator.
 */
export const assignSourcesOperation = defineOperation({
  id: 'A16',
  name: 'Assign a jackpot to sources',
  method: 'POST',
  path: '/config/sources/assign',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: sourceAssignment },
  output: 'empty',
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const { owner_id, instance_id } = body;
    const sources = [...new Set(body.source_id)];
    requireOwner(context, principal, 'configure', owner_id);
    for (const source of sources) {
      if (!context.directory.entries.sources.has(ownedKey(owner_id, source)))
        throw new PublicError('source_not_found');
    }
    const known = checkSourceBinding(context, principal, owner_id, sources, instance_id, null);
    const proposed = await proposedChange(context, request, [owner_id, known.description.owner]);
    if (proposed !== null) return proposed;
    await bindSources(context, principal, owner_id, sources, instance_id, null);
    return { status: 204 };
  },
});
