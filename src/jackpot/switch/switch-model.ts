import type { SwitchModel } from '../commands.ts';
import type { CommandOutcome } from '../outcomes.ts';
import { refused } from '../refusals.ts';
import type { LaneState } from '../state/lane-state.ts';
import { changeStatus, noteChange } from '../status/change.ts';
import { Budget } from '../work/budget.ts';
import { planSwitch } from './check.ts';
import { copyOptIns } from './copy-opt-ins.ts';
import { recordTransfer } from './record.ts';
import { repointBindings, repointLinks } from './repoint.ts';

/**
 * A29: everything of an instance moves to its successor in one step of the lane; the source is Switched then. Opt-ins are
 * copied behind it, step by step where there are many, and the target waits for them before it becomes Active.
 */
export function switchModel(state: LaneState, command: SwitchModel): CommandOutcome {
  const source = state.instances.get(command.instance);
  const target = state.instances.get(command.target);
  if (source === undefined || target === undefined) return refused('instance_not_found');
  const plan = planSwitch(state, source, target, command.rules, command.override);
  if (plan.kind === 'Refused') return plan;
  state.touch(source);
  state.touch(target);
  const before = source.words.slice();
  source.words.set(plan.source);
  target.words.set(plan.target);
  recordTransfer(state, source, before, 'switch', target.id);
  source.switchedTo = target.id;
  target.switchedFrom = source.id;
  repointBindings(state, source.id, target.id);
  repointLinks(state, source, target);
  if (command.transferOptIns && source.players.size > 0) {
    source.copying = { nextRow: 0, step: 0 };
    state.working.add(source);
    copyOptIns(state, source, new Budget());
  }
  changeStatus(state, source, 'Switched', command.reason);
  target.refresh();
  noteChange(state, target);
  return { kind: 'Done', instance: source.id, version: source.version };
}
