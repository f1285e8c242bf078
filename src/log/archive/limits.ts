const hourMs = 3_600_000;
const mebibyte = 1024 * 1024;

/** How a lane's log is archived and trimmed. */
export interface ArchiveLimits {
  /** How often a lane is looked at; and while one of its streams is short of room. */
  readonly everyMs: number;
  readonly pressedEveryMs: number;
  /** Messages younger than this are left alone: most systems have other work while they are written. */
  readonly archiveAfterMs: number;
  /** A partial segment is written when its first message is this much older; and while short of room. */
  readonly partialAfterMs: number;
  readonly pressedPartialAfterMs: number;
  /** A segment ends at these bytes of messages, and at this number of messages. */
  readonly segmentBytes: number;
  readonly segmentMessages: number;
  /** Bytes of the log that are read in a second; and while a stream is short of room. */
  readonly bytesPerSecond: number;
  readonly pressedBytesPerSecond: number;
  /** From this fill level of a stream on, its lane is short of room. */
  readonly pressedRatio: number;
  /** How often such a lane is asked for a snapshot; and one that refuses contributions. */
  readonly pressedSnapshotMs: number;
  readonly fullSnapshotMs: number;
  /** Messages younger than this stay in the streams: repeats of idempotency keys are answered from there. */
  readonly keepMs: number;
  /** Messages that could leave but stay: arrivals while a stream is narrowed push them out first. */
  readonly spareMessages: number;
  /** In a lane that is short of room, at least as many as arrived within this time. */
  readonly spareMs: number;
  /** Such a lane keeps messages for this part of its room, archived or not. */
  readonly pressedKeepRatio: number;
  /** Segments leave the archive when their last message is so old; null: never. */
  readonly archiveMs: number | null;
}

/** A stream that is fuller was not trimmed in time. */
export const trimmedBelow = 0.6;

/** Keys live for 24 hours of log time. An hour more covers clocks that differ. */
export const defaultArchiveLimits: ArchiveLimits = {
  everyMs: 60_000,
  pressedEveryMs: 1_000,
  archiveAfterMs: hourMs,
  partialAfterMs: hourMs,
  pressedPartialAfterMs: 60_000,
  segmentBytes: 8 * mebibyte,
  segmentMessages: 16_384,
  bytesPerSecond: 2 * mebibyte,
  pressedBytesPerSecond: 32 * mebibyte,
  pressedRatio: 0.5,
  pressedSnapshotMs: 60_000,
  fullSnapshotMs: 5_000,
  keepMs: 25 * hourMs,
  spareMessages: 16_384,
  spareMs: 60_000,
  pressedKeepRatio: 0.3,
  archiveMs: null,
};
