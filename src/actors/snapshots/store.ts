import type { SnapshotHeader } from './format.ts';

/** Which snapshot of a lane; the time is the lane's at that sequence. */
export interface SnapshotName {
  readonly sequence: number;
  readonly timestampMs: number;
}

/** A snapshot that is being written. It does not exist for anybody before `commit` has resolved. */
export interface SnapshotDraft {
  write(bytes: Uint8Array): Promise<void>;
  /** Leaves no more of the disk's time to others: the process ends once this is written. */
  hurry(): void;
  /** Makes it durable, then visible. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Where a host keeps its snapshots: files, or memory in a simulation. */
export interface SnapshotStore {
  /** Newest first. */
  list(lane: number): Promise<readonly SnapshotName[]>;
  /** The bytes as they are: whether they are whole is told by `decodeSnapshot`. Null where there is none. */
  read(lane: number, name: SnapshotName): Promise<Uint8Array | null>;
  /** The same in parts, for `readInParts`: each is read while the one before it is used. */
  readParts(lane: number, name: SnapshotName): Promise<AsyncIterable<Uint8Array> | null>;
  create(header: SnapshotHeader): Promise<SnapshotDraft>;
  remove(lane: number, name: SnapshotName): Promise<void>;
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

export function newestFirst(a: SnapshotName, b: SnapshotName): number {
  return b.sequence - a.sequence;
}
