import type { StorageMonitor } from './ports.ts';

/** Once this part of the spare was pushed out, a person must look. */
const alarmFromSpareRatio = 0.25;

/** A line of the log names the spare from this many messages on that were pushed out. */
export function alarmFrom(spare: number): number {
  return Math.max(1, spare * alarmFromSpareRatio);
}

/** Messages that arrive during a step push out others: a few of those that are kept in reserve for that. */
export function reportPushedOut(
  monitor: StorageMonitor,
  lane: number,
  pushedOut: number,
  from: number,
): void {
  if (pushedOut < from) return;
  monitor.alarm(
    lane,
    'stream_trimmed_too_far',
    `${pushedOut} more messages than planned left a stream, because storage or the network stopped while it was trimmed.`,
  );
}
