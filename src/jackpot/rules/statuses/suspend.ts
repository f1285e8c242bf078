import type { Instance, InstanceStatus } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { changeStatus } from './change.ts';

const running: ReadonlySet<InstanceStatus> = new Set(['Active', 'Paused', 'Resolving']);

/** The instance stops by itself: values frozen, contributions refused, nothing drawn, until a person looks at it. */
export function suspendInstance(state: LaneState, instance: Instance, reason: string): void {
  if (!running.has(instance.status)) return;
  instance.suspended = true;
  changeStatus(state, instance, 'Paused', reason);
}
