import type { CancelSwitch } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { endOrder } from './order.ts';

/** Ends a switch before its last command; a repeat changes nothing. */
export function cancelSwitch(state: LaneState, command: CancelSwitch): CommandOutcome {
  const source = state.instances.get(command.instance);
  if (source === undefined) return refused('instance_not_found');
  const { switchOrder: order } = source;
  const end = order !== null && order.target === command.target ? order.end : undefined;
  if (end === undefined || (end !== null && end.outcome !== 'cancelled'))
    return refused('invalid_transition', 'no switch to that instance is under way');
  if (end === null) {
    const message = `${command.user}: ${command.reason}`;
    endOrder(state, source, { outcome: 'cancelled', atMs: state.nowMs, code: '', message });
  }
  return { kind: 'Done', instance: source.id, version: source.version };
}
