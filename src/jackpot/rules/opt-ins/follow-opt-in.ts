import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { copyToTarget } from './copy-opt-in.ts';

/** An opt-in that changes after a switch under way has copied it is copied again. */
export function followOptIn(state: LaneState, source: Instance, row: number): void {
  const { switchOrder: order } = source;
  if (order === null || order.end !== null || row >= order.nextRow) return;
  const target = state.instances.get(order.target)!;
  state.touch(target);
  copyToTarget(state, source, target, order, row);
}
