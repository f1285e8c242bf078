/** Conditions that a person must look at: the closed list of codes in `potstream_storage_alarms_total`. */
export const storageAlarmCodes = [
  /** A stream is not what it should be, and its lane is not trimmed. */
  'stream_misconfigured',
  /** The streams of a lane cannot be trimmed, or their ages judged. */
  'log_not_trimmed',
  /** The archive has something else than the streams: what it lacks stays there. */
  'archive_differs',
  /** More messages left a stream than were to leave (docs/decisions/0332). */
  'stream_trimmed_too_far',
  /** The room of replaced and removed objects cannot be freed. */
  'archive_not_freed',
] as const;
type StorageAlarmCode = (typeof storageAlarmCodes)[number];

/** Where bad news go. */
export interface StorageMonitor {
  alarm(lane: number, code: StorageAlarmCode, message: string): void;
}
