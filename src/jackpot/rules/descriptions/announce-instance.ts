import type { Instance } from '../../state/instance/instance.ts';
import { bytesOfInstance } from '../../state/lane/announced-bytes.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { describe } from './describe.ts';

/** Tells the lane's followers of an instance as it is now. */
export function announceInstance(state: LaneState, instance: Instance): void {
  state.announce(
    { kind: 'InstanceChanged', instance: describe(instance) },
    bytesOfInstance(instance.configuration, instance.pendingConfiguration),
  );
}
