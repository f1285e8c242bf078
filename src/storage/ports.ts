/** Conditions that a person must look at: the closed list of codes in `potstream_storage_alarms_total`. */
export const storageAlarmCodes = [
  'stream_misconfigured',
  'log_not_trimmed',
  'archive_differs',
  'stream_trimmed_too_far',
  'archive_not_freed',
] as const;
type StorageAlarmCode = (typeof storageAlarmCodes)[number];

/** Where bad news go. */
export interface StorageMonitor {
  alarm(lane: number, code: StorageAlarmCode, message: string): void;
}
