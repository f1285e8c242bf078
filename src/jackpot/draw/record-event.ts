import type { Json } from '../../lib/canonical-json.ts';
import { unpriced } from '../recorder.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { closeGroup } from './close.ts';
import { beginRecord } from './draw.ts';
import { Group } from './group.ts';

/** A record without a contribution takes the next sequence number and is a group of its own. */
export function recordEvent(
  state: LaneState,
  instance: Instance,
  detailOf: (sequence: number) => Json,
): void {
  const group = new Group();
  group.begin(instance);
  const sequence = instance.sequence + 1;
  beginRecord(group, sequence, 0, 0, state.nowMs, 0);
  group.details.push(detailOf(sequence));
  if (state.recorder !== null) group.note(sequence, 0, 0, unpriced(state.nowMs));
  instance.sequence = sequence;
  closeGroup(state, group);
}
