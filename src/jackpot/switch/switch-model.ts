import type { SwitchModel } from '../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../messages/outcomes.ts';
import { refused } from '../../messages/refusals.ts';
import type { LaneState } from '../state/lane-state.ts';
import { changeStatus, isOutdated, noteChange } from '../status/change.ts';
import { Budget } from '../work/budget.ts';
import { planSwitch } from './check.ts';
import { recordTransfer } from './record.ts';
import { repointBindings, repointLinks } from './repoint.ts';
import { workOnSwitch } from './work-on-switch.ts';

/**
 * A29: moves everything of an instance to its successor in one step of the lane; the source is then Switched. Opt-ins
 * and announcements follow, step by step if there are many, and the target becomes Active only after them.
 */
export function switchModel(state: LaneState, command: SwitchModel): CommandOutcome {
  const source = state.instances.get(command.instance);
  const target = state.instances.get(command.target);
  if (source === undefined || target === undefined) return refused('instance_not_found');
  if (isOutdated(source, command.expectedVersion)) return refused('version_conflict');
  const plan = planSwitch(state, source, target, command, 'now');
  if (plan.kind === 'Refused') return plan;
  state.touch(source);
  state.touch(target);
  const before = source.balances.slice();
  source.balances.set(plan.source);
  target.balances.set(plan.target);
  recordTransfer(state, source, before, 'switch', target.id);
  source.switchedTo = target.id;
  target.switchedFrom = source.id;
  source.switching = {
    step: 0,
    unannouncedBindings: repointBindings(state, source.id, target.id),
    unannouncedInstances: repointLinks(state, source, target),
    nextRow: command.transferOptIns || state.rules.optOutsEndContributions ? 0 : null,
    copies: command.transferOptIns ? 'all' : 'opt-outs',
  };
  state.working.add(source);
  workOnSwitch(state, source, new Budget());
  changeStatus(state, source, 'Switched', command.reason);
  target.refresh();
  // It does not start before the work of the switch is done.
  state.movedDeadlines.add(target);
  noteChange(state, target);
  return { kind: 'Done', instance: source.id, version: source.version };
}
