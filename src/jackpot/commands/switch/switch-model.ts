import type { CancelSwitch, SwitchModel } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { announceInstance } from '../../rules/descriptions/describe.ts';
import { changeStatus, done, isOutdated, noteChange } from '../../rules/statuses/change.ts';
import { Budget } from '../../rules/steps/steps.ts';
import { isUnderWay } from '../../rules/switches/successor.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { planSwitch, type SwitchPlan } from './check.ts';
import { beginOrder, endOrder, workOnOrder } from './order.ts';
import { moveToTarget, workOnSwitch } from './work-on-switch.ts';

/** A29: an instance goes on as its successor: opt-ins are copied, then everything moves at once. */
export function switchModel(state: LaneState, command: SwitchModel): CommandOutcome {
  const source = state.instances.get(command.instance);
  const target = state.instances.get(command.target);
  if (source === undefined || target === undefined) return refused('instance_not_found');
  if (state.rules.switchesWhileRunning && isRepeat(source, command)) return done(source);
  if (isOutdated(source, command.expectedVersion)) return refused('version_conflict');
  if (state.rules.approvalsAreFenced && isOutdated(target, command.targetVersion))
    return refused('version_conflict', 'the target has changed since the switch was proposed');
  const plan = planSwitch(state, source, target, command, 'begin');
  if (plan.kind === 'Refused') return plan;
  if (!state.rules.switchesWhileRunning) switchAtOnce(state, source, target, plan, command);
  else {
    beginOrder(state, source, command);
    workOnOrder(state, source, new Budget(), true);
    if (isUnderWay(source)) announceInstance(state, source);
  }
  return done(source);
}

/** The same switch again, which is under way or done. */
function isRepeat({ switchedTo, switchOrder }: Instance, command: SwitchModel): boolean {
  if (switchedTo === command.target) return true;
  if (switchOrder === null || switchOrder.end !== null || switchOrder.target !== command.target) return false;
  const { transferOptIns, override } = switchOrder;
  return (
    transferOptIns === command.transferOptIns &&
    override === command.override &&
    JSON.stringify(switchOrder.rules) === JSON.stringify(command.rules)
  );
}

/** The engine's first version: opt-ins follow the money, then a person makes the target Active. */
function switchAtOnce(
  state: LaneState,
  source: Instance,
  target: Instance,
  plan: SwitchPlan,
  command: SwitchModel,
): void {
  state.touch(source);
  state.touch(target);
  moveToTarget(state, source, target, plan, { step: 0, nextRow: command.transferOptIns ? 0 : null });
  state.working.add(source);
  workOnSwitch(state, source, new Budget());
  changeStatus(state, source, 'Switched', command.reason);
  target.refresh();
  // The target does not start before the work of the switch is done.
  state.movedDeadlines.add(target);
  noteChange(state, target);
}

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
  return done(source);
}
