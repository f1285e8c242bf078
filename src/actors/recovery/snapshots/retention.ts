import type { SnapshotName } from '../../../log/archive/snapshot-names.ts';

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
