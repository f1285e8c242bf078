import { describe } from '../describe.ts';
import { bytesOfInstance } from '../state/announced-bytes.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';

/** Tells the lane's followers of an instance as it is now. */
export function announceInstance(state: LaneState, instance: Instance): void {
  state.announce(
    { kind: 'InstanceChanged', instance: describe(instance) },
    bytesOfInstance(instance.configuration, instance.pendingConfiguration),
  );
}
