import { authorize } from '../../../access/authorize.ts';
import { directoryKey } from '../../../contracts/directory-keys.ts';
import { sourcesDeleted, sourcesToDelete } from '../../../contracts/source.ts';
import { ownedKey } from '../../../directory/owners.ts';
import { defineOperation } from '../../operation.ts';
import { removeEntry, replicaShows } from './write-directory.ts';

/** A source with jackpots stays and is named with them; one that does not exist is `failed` without any. */
export const deleteSources = defineOperation({
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
    const answer: (typeof sourcesDeleted)['_output'] = { succeeded: [], failed: [] };
    const removed: string[] = [];
    for (const { owner_id, source_id } of body) {
      const visible =
        authorize(principal, 'configure', owner_id) === 'allowed' &&
        directory.entries.sources.has(ownedKey(owner_id, source_id));
      const bindings = visible ? directory.lanes.bindings('source', owner_id, source_id) : [];
      const key = directoryKey.source(owner_id, source_id);
      if (visible && bindings.length === 0 && (await removeEntry(context, key))) {
        answer.succeeded.push(source_id);
        removed.push(ownedKey(owner_id, source_id));
      } else {
        answer.failed.push({ owner_id, source_id, jackpots: bindings.map((binding) => binding.instance) });
      }
    }
    await replicaShows(context, () => removed.every((key) => !directory.entries.sources.has(key)));
    return { status: 200, body: answer };
  },
});
