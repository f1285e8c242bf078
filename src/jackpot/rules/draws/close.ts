import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Group } from './group.ts';

/** Chains a group to its instance's head and notes the instance among those that this message has moved. */
export function closeGroup(state: LaneState, group: Group): void {
  if (group.recordCount === 0) return;
  group.close(state.hashing);
  const { instance } = group;
  const running = instance.epochs.running!;
  if (running.firstMessage === 0) running.firstMessage = state.messageSequence;
  running.lastMessage = state.messageSequence;
  if (!state.moved.has(instance)) state.moved.set(instance, group.firstSequence);
  state.recorder?.group(group.recorded());
}
