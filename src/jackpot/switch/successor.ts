import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';

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
