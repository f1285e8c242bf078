import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** The instance that goes on for this one: where its switches lead to, or itself. */
export function successorOf(state: LaneState, id: string): Instance | undefined {
  let found = state.instances.get(id);
  while (found?.status === 'Switched') found = state.instances.get(found.switchedTo);
  return found;
}

/** The instances that were switched to this one, directly or by way of others, the newest first. */
export function* predecessorsOf(state: LaneState, { switchedFrom }: Instance): Iterable<Instance> {
  for (let id = switchedFrom; id !== ''; ) {
    const found = state.instances.get(id);
    if (found === undefined) return;
    yield found;
    id = found.switchedFrom;
  }
}

/** Active, or paused by a person or by itself. */
export function isRunning({ status }: Instance): boolean {
  return status === 'Active' || status === 'Paused';
}

/** Whether a switch from or to the instance is under way, or has work left. */
export function isSwitching(state: LaneState, instance: Instance): boolean {
  if (instance.switching !== null || isUnderWay(instance) || instance.takingBackFrom !== null) return true;
  const from = instance.switchedFrom === '' ? undefined : state.instances.get(instance.switchedFrom);
  if (from !== undefined && from.switching !== null) return true;
  return [...state.working].some((each) => isUnderWay(each) && each.switchOrder?.target === instance.id);
}

export function isUnderWay({ switchOrder }: Instance): boolean {
  return switchOrder !== null && switchOrder.end === null;
}
