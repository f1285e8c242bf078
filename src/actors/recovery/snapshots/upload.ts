import {
  archivedSnapshotName,
  archivedSnapshots,
  type SnapshotName,
} from '../../../log/archive/snapshot-names.ts';
import type { Archive } from '../../../ports.ts';
import { expendableSnapshots } from './retention.ts';

/**
 * Uploads a snapshot and removes those that need not be kept. An archive that has no room for one more loses
 * first what would go afterwards: else a full one would stay as it is for ever.
 */
export async function uploadSnapshot(
  archive: Archive,
  lane: number,
  name: SnapshotName,
  bytes: Uint8Array,
  logRetentionMs: number,
): Promise<void> {
  const object = archivedSnapshotName(lane, name);
  const expendable = async (): Promise<SnapshotName[]> => {
    const others = (await archivedSnapshots(archive, lane)).filter(
      ({ sequence }) => sequence !== name.sequence,
    );
    return expendableSnapshots([...others, name], name.timestampMs, logRetentionMs);
  };
  const remove = async (snapshots: readonly SnapshotName[]): Promise<void> => {
    for (const snapshot of snapshots) await archive.remove(archivedSnapshotName(lane, snapshot));
  };
  try {
    await archive.put(object, bytes);
  } catch (error) {
    const outlived = await expendable();
    if (outlived.length === 0) throw error;
    await remove(outlived);
    await archive.put(object, bytes);
  }
  await remove(await expendable());
}
