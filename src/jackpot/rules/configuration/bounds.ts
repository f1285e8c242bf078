import type { Document } from '../../../lib/document-reader.ts';
import { bytesOfDocument } from '../../../messages/announced-bytes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** As JSON: one event and one header each hold the configuration in force and the one that waits. */
const maxConfigurationBytes = 128 * 1024;

/** Bounds hold from the first owner on that states them: older logs were decided without. */
export function isBounded({ settings }: LaneState): boolean {
  return settings.maximumMessageBytes !== undefined;
}

export function sizeRefusal(state: LaneState, document: Document): Refusal | null {
  if (!isBounded(state) || bytesOfDocument(document) <= maxConfigurationBytes) return null;
  return refused('config_invalid', `the configuration is larger than ${maxConfigurationBytes / 1024} KiB`);
}
