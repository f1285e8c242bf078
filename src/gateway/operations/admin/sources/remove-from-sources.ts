import { sourceAssignment } from '../../../../contracts/source.ts';
import { ownedKey } from '../../../../directory/owners.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/** A18: unbinds an instance from sources of an owner. `not_mapped` where it is not bound to one of them. */
export const removeFromSources = defineOperation({
  id: 'A18',
  name: 'Remove a jackpot from sources',
  method: 'POST',
  path: '/config/sources/remove',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: sourceAssignment },
  output: 'empty',
  refusals: [404],
  async handle({ principal, body }, context) {
    const { owner_id, instance_id } = body;
    const { directory, lanes } = context;
    const sources = [...new Set(body.source_id)];
    requireOwner(context, principal, 'configure', owner_id);
    for (const source of sources) {
      if (!directory.entries.sources.has(ownedKey(owner_id, source)))
        throw new PublicError('source_not_found');
    }
    const known = requireInstance(context, principal, 'configure', instance_id);
    for (const source of sources) {
      const bindings = directory.lanes.bindings('source', owner_id, source);
      if (!bindings.some((binding) => binding.instance === instance_id)) throw new PublicError('not_mapped');
    }
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
