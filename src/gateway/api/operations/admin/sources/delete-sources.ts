import { authorize } from '../../../../../access/rights/authorize.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { sourcesDeleted, sourcesToDelete } from '../../../../../contracts/directory/source.ts';
import { isForeignId, isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { inParallel, readModelShows, removeEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';

/**
 * A15: deletes sources. One with jackpots stays and is `failed` with their ids; one that does not exist is `failed`
 * without any.
 */
export const deleteSourcesOperation = defineOperation({
  id: 'A15',
  name: 'Delete sources',
  method: 'DELETE',
  path: '/config/sources',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: sourcesToDelete },
  output: sourcesDeleted,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    const { directory } = context;
    const failures = await inParallel(body, async ({ owner_id, source_id }) => {
      const visible =
        isOwnerPath(owner_id) &&
        isForeignId(source_id) &&
        authorize(principal, 'configure', owner_id) === 'allowed' &&
        directory.entries.sources.has(ownedKey(owner_id, source_id));
      const bindings = visible ? directory.lanes.bindings('source', owner_id, source_id) : [];
      const removable = visible && bindings.length === 0;
      const unread = removable ? directory.conditions.unknownFault() : null;
      if (unread !== null) throw new PublicError(unread);
      if (removable && (await removeEntry(context, directoryKey.source(owner_id, source_id)))) return null;
      return { owner_id, source_id, jackpots: bindings.map((binding) => binding.instance) };
    });
    const deleted = body.filter((_, index) => failures[index] === null);
    const { sources } = directory.entries;
    await readModelShows(context, () =>
      deleted.every(({ owner_id, source_id }) => !sources.has(ownedKey(owner_id, source_id))),
    );
    const succeeded = deleted.map(({ source_id }) => source_id);
    return { status: 200, body: { succeeded, failed: failures.filter((failure) => failure !== null) } };
  },
});
