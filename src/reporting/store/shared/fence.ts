import { StoreError } from '../../base/errors.ts';
import type { LanePosition } from '../../base/lane-batch.ts';

/** Another process has written to the lane's books. */
export function fenced(lane: number, after: number, { sequence }: LanePosition): StoreError {
  const text = `The books of lane ${lane} do not stand at message ${after}, which message ${sequence} was to follow.`;
  return new StoreError('reporting_fenced', text);
}
