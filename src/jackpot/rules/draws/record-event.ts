import type { Json } from '../../../lib/canonical-json.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { unpriced } from '../../state/lane/recorder.ts';
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
