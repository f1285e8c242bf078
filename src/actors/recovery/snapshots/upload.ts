import {
  archivedSnapshotName,
  archivedSnapshots,
  type SnapshotName,
} from '../../../log/archive/snapshot-names.ts';
import type { Archive } from '../../../ports.ts';

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

const dayMs = 86_400_000;
const newestRetained = 3;

/**
 * Which snapshots may go: all but the newest three and, for as long as the command log is kept, the newest of
 * each day (an audit replays from the oldest one).
 */
export function expendableSnapshots(
  snapshots: readonly SnapshotName[],
  nowMs: number,
  logRetentionMs: number,
): SnapshotName[] {
  const sorted = [...snapshots].sort((a, b) => b.sequence - a.sequence);
  const daysSeen = new Set<number>();
  return sorted.filter((snapshot, index) => {
    const day = Math.floor(snapshot.timestampMs / dayMs);
    const isNewestOfDay = !daysSeen.has(day);
    daysSeen.add(day);
    if (index < newestRetained) return false;
    return !(isNewestOfDay && nowMs - snapshot.timestampMs <= logRetentionMs);
  });
}
