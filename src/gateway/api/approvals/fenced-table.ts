import type { Table } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';
import type { ApprovedRequest } from '../operation/operation.ts';

/**
 * The directory for an approved change: it writes only on top of the revision that the first attempt found. A
 * later attempt finds its own write there, or refuses to change what has changed since.
 */
export function fencedTable(table: Table, approved: ApprovedRequest): Table {
  /** Keys of which this attempt knows that nothing of ours is stored. */
  const lost = new Set<string>();
  /** The revisions that this attempt has written: it may go on from them. */
  const written = new Map<string, number>();
  const write: Table['put'] = async (key, value, expectedRevision) => {
    const revision = await table.put(key, value, expectedRevision);
    if (revision === null) lost.add(key);
    else written.set(key, revision);
    return revision;
  };
  return {
    ...table,
    get: (key) => table.get(key),
    keys: (prefix) => table.keys(prefix),
    watch: (handlers, under) => table.watch(handlers, under),
    async put(key, value, expectedRevision) {
      if (written.get(key) === expectedRevision) return write(key, value, expectedRevision);
      const fence = await approved.fence(key, expectedRevision);
      if (fence !== expectedRevision) {
        if (!lost.has(key)) return isStored(table, key, value);
        await approved.moveFence(key, expectedRevision);
      }
      return write(key, value, expectedRevision);
    },
    async remove(key, expectedRevision) {
      const fence = await approved.fence(key, expectedRevision);
      if (fence !== expectedRevision) throw new PublicError('version_conflict');
      return table.remove(key, expectedRevision);
    },
  };
}

/** The revision of the value that an earlier attempt wrote. @throws PublicError version_conflict */
async function isStored(table: Table, key: string, value: Uint8Array): Promise<number> {
  const present = await table.get(key);
  if (present === null || contentOf(present.value) !== contentOf(value))
    throw new PublicError('version_conflict');
  return present.revision;
}

/** Without the times of the write. */
function contentOf(bytes: Uint8Array): string {
  return JSON.stringify(JSON.parse(Buffer.from(bytes).toString('utf8')), (name, member: unknown) =>
    name === 'updated' || name === 'since' ? undefined : member,
  );
}
