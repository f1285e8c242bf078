import type { Archive } from '../../ports.ts';

/** Which snapshot of a lane; the time is the lane's at that sequence. */
export interface SnapshotName {
  readonly sequence: number;
  readonly timestampMs: number;
}

const namePattern = /^(\d{16})-(\d{1,16})\.snapshot$/;

/** `<sequence>-<time>.snapshot`: names sort by sequence. */
export function snapshotFileName(name: SnapshotName): string {
  return `${String(name.sequence).padStart(16, '0')}-${name.timestampMs}.snapshot`;
}

/** Null where the name is not a snapshot's. */
export function parseSnapshotFileName(text: string): SnapshotName | null {
  const match = namePattern.exec(text);
  return match === null ? null : { sequence: Number(match[1]), timestampMs: Number(match[2]) };
}

/** For sorting. */
export function newestSnapshotFirst(a: SnapshotName, b: SnapshotName): number {
  return b.sequence - a.sequence;
}

/** `<lane>/<sequence>-<time>.snapshot`. */
export function archivedSnapshotName(lane: number, name: SnapshotName): string {
  return `${lane}/${snapshotFileName(name)}`;
}

/** The archive's snapshots of a lane, newest first. */
export async function archivedSnapshots(
  archive: Pick<Archive, 'list'>,
  lane: number,
): Promise<SnapshotName[]> {
  const prefix = `${lane}/`;
  const names = (await archive.list())
    .filter((name) => name.startsWith(prefix))
    .map((name) => parseSnapshotFileName(name.slice(prefix.length)))
    .filter((name) => name !== null);
  return names.sort(newestSnapshotFirst);
}
