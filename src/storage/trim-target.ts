/** What a lane still needs of its streams, though all of it may be in the archive. */
export interface LaneNeeds {
  /** Everything up to here was read back from the archive, and follows from what is before it. */
  readonly archivedTo: number;
  /** Snapshots that every host can reach, the newest first. */
  readonly snapshots: readonly number[];
  /** The first message that is not older than the time to keep. */
  readonly firstYoung: number;
  /** The first message of an epoch that is not revealed yet; infinite: there is none. */
  readonly firstUnrevealed: number;
  /** The last message that the streams do not keep when they are short of room. */
  readonly surplusTo: number;
}

/** A torn snapshot must not leave its lane without one. */
const snapshotsKept = 3;

/**
 * The last message that may leave a lane's streams; 0: none may. `isPressed`: a stream has little room left.
 * Then readers of older messages get them from the archive, but no more leaves than frees the room
 * (docs/decisions/0332).
 */
export function trimTarget(needs: LaneNeeds, isPressed: boolean): number {
  const { archivedTo, snapshots, firstYoung, firstUnrevealed, surplusTo } = needs;
  const snapshot = snapshots[isPressed ? 0 : snapshotsKept - 1] ?? 0;
  const needed = Math.min(archivedTo, snapshot);
  if (isPressed) return Math.min(needed, surplusTo);
  return Math.min(needed, firstYoung - 1, snapshotBefore(firstUnrevealed, snapshots));
}

/** The draws of an epoch are made again by a replay that begins at a snapshot before its first message. */
function snapshotBefore(message: number, snapshots: readonly number[]): number {
  if (message === Number.POSITIVE_INFINITY) return message;
  return snapshots.find((sequence) => sequence < message) ?? 0;
}
