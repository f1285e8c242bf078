import { authorize } from '../../../../../access/rights/authorize.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { segmentsDeleted, segmentsToDelete } from '../../../../../contracts/directory/segment.ts';
import { isForeignId, isOwnerPath } from '../../../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { inParallel, readModelShows, removeEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';

/**
 * A9: deletes segments. One with jackpots stays and is `failed` with their ids; one that does not exist is `failed`
 * without any.
 */
export const deleteSegmentsOperation = defineOperation({
  id: 'A9',
  name: 'Delete segments',
  method: 'DELETE',
  path: '/config/segments',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: segmentsToDelete },
  output: segmentsDeleted,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    const { directory } = context;
    const { segments } = directory.entries;
    const failures = await inParallel(body, async ({ owner_id, segment_id }) => {
      const visible =
        isOwnerPath(owner_id) &&
        isForeignId(segment_id) &&
        authorize(principal, 'configure', owner_id) === 'allowed' &&
        segments.has(ownedKey(owner_id, segment_id));
      const bindings = visible ? directory.lanes.bindings('segment', owner_id, segment_id) : [];
      const removable = visible && bindings.length === 0;
      const unread = removable ? directory.conditions.unknownFault() : null;
      if (unread !== null) throw new PublicError(unread);
      if (removable && (await removeEntry(context, directoryKey.segment(owner_id, segment_id)))) return null;
      return { owner_id, segment_id, jackpots: bindings.map((binding) => binding.instance) };
    });
    const deleted = body.filter((_, index) => failures[index] === null);
    await readModelShows(context, () =>
      deleted.every(({ owner_id, segment_id }) => !segments.has(ownedKey(owner_id, segment_id))),
    );
    const succeeded = deleted.map(({ segment_id }) => segment_id);
    return { status: 200, body: { succeeded, failed: failures.filter((failure) => failure !== null) } };
  },
});
