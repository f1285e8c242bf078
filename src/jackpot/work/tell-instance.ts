import { describe } from '../describe.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { bytesOfInstance } from '../state/told-bytes.ts';

/** Tells the lane's followers of an instance as it is now. */
export function tellInstance(state: LaneState, instance: Instance): void {
  state.tell(
    { kind: 'InstanceChanged', instance: describe(instance) },
    bytesOfInstance(instance.configuration, instance.pendingConfiguration),
  );
}
