import type { SnapshotName } from '../../log/archive/snapshot-names.ts';

/** What a snapshot says of itself. It holds the lane's state after `sequence`. */
export interface SnapshotHeader {
  readonly lane: number;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly laneHead: Uint8Array;
}

/** A snapshot that is being written. It does not exist for any reader before `commit` has resolved. */
export interface SnapshotDraft {
  write(bytes: Uint8Array): Promise<void>;
  /** Leaves no more of the disk's time to others: the process ends once this is written. */
  hurry(): void;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Where a host keeps its snapshots: files, or memory in a simulation. */
export interface SnapshotStore {
  /** Newest first. */
  list(lane: number): Promise<readonly SnapshotName[]>;
  /** The bytes as they are: `readInParts` tells whether they are whole. Null where there is none. */
  read(lane: number, name: SnapshotName): Promise<Uint8Array | null>;
  /** The same in parts, for `readInParts`: each is read while the one before it is used. */
  readParts(lane: number, name: SnapshotName): Promise<AsyncIterable<Uint8Array> | null>;
  create(header: SnapshotHeader): Promise<SnapshotDraft>;
  remove(lane: number, name: SnapshotName): Promise<void>;
}
