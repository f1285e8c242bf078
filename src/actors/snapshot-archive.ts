import type { Archive } from '../lib/ports.ts';
import { expendableSnapshots } from './snapshot-retention.ts';
import { newestFirst, parseSnapshotFileName, type SnapshotName, snapshotFileName } from './snapshot-store.ts';

/** `<lane>/<sequence>-<time>.snapshot`. */
export function archivedSnapshotName(lane: number, name: SnapshotName): string {
  return `${lane}/${snapshotFileName(name)}`;
}

/** The archive's snapshots of a lane, newest first. */
export async function archivedSnapshots(archive: Archive, lane: number): Promise<SnapshotName[]> {
  const prefix = `${lane}/`;
  const names = (await archive.list())
    .filter((name) => name.startsWith(prefix))
    .map((name) => parseSnapshotFileName(name.slice(prefix.length)))
    .filter((name) => name !== null);
  return names.sort(newestFirst);
}

/** Uploads a snapshot and removes those that need not be kept. */
export async function uploadSnapshot(
  archive: Archive,
  lane: number,
  name: SnapshotName,
  bytes: Uint8Array,
  logKeptMs: number,
): Promise<void> {
  await archive.put(archivedSnapshotName(lane, name), bytes);
  const all = await archivedSnapshots(archive, lane);
  for (const expendable of expendableSnapshots(all, name.timestampMs, logKeptMs)) {
    await archive.remove(archivedSnapshotName(lane, expendable));
  }
}
