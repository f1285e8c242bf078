import type { Json } from '../../../lib/canonical-json.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { unpriced } from '../../state/lane/recorder.ts';
import { beginRecord } from './draw.ts';
import { Group } from './group.ts';

/** Chains a group to its instance's head and notes the instance among those that this message has moved. */
export function closeGroup(state: LaneState, group: Group): void {
  if (group.recordCount === 0) return;
  group.close(state.hashing);
  const { instance } = group;
  const running = instance.epochs.running!;
  if (running.firstMessage === 0) running.firstMessage = state.messageSequence;
  running.lastMessage = state.messageSequence;
  if (!state.moved.has(instance)) state.moved.set(instance, group.firstSequence);
  state.recorder?.group?.(group.recorded());
}

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
