import { StoreError } from '../../base/errors.ts';
import type { LanePosition, StreamBatch } from '../../base/lane-batch.ts';

/** Another process has written to the lane's books. */
export function fenced(lane: number, after: number, { sequence }: LanePosition): StoreError {
  const text = `The books of lane ${lane} do not stand at message ${after}, which message ${sequence} was to follow.`;
  return new StoreError('reporting_fenced', text);
}

/** The same of a stream beside the lanes. */
export function fencedStream({ stream, after, position }: StreamBatch): StoreError {
  const text = `The rows of ${stream} do not stand at message ${after}, which message ${position.sequence} was to follow.`;
  return new StoreError('reporting_fenced', text);
}
