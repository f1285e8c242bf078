import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { changeStatus } from './change.ts';

/** The instance stops by itself: values frozen, contributions refused, nothing drawn, until a person looks at it. */
export function pauseItself(state: LaneState, instance: Instance, reason: string): void {
  if (instance.status !== 'Active' && instance.status !== 'Paused') return;
  instance.suspended = true;
  changeStatus(state, instance, 'Paused', reason);
}
