import { assert } from '../../../lib/assert.ts';
import type { SwitchModel } from '../../../messages/instance-commands.ts';
import type { SwitchEnd } from '../../../messages/records.ts';
import type { Refusal } from '../../../messages/refusals.ts';
import { announceInstance } from '../../rules/descriptions/describe.ts';
import { isReady } from '../../rules/epochs/epoch.ts';
import { copyToTarget, hasOptIn } from '../../rules/opt-ins/copy-opt-in.ts';
import { changeStatus } from '../../rules/statuses/change.ts';
import { Budget, type Job, stepItems } from '../../rules/steps/steps.ts';
import { isRunning } from '../../rules/switches/successor.ts';
import type { Instance, SwitchOrder } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { activate } from '../status/activate.ts';
import { planSwitch, type SwitchPlan } from './check.ts';
import {
  idlePerItem,
  moveToTarget,
  silentStepsPerMessage,
  takeBackOptIns,
  workOnSwitch,
} from './work-on-switch.ts';

/** The switch begins; the caller has checked that it may. */
export function beginOrder(state: LaneState, source: Instance, command: SwitchModel): void {
  const { target, rules, transferOptIns, override, reason, user } = command;
  state.touch(source);
  const order = { target, rules, transferOptIns, override, reason, user };
  source.switchOrder = { ...order, step: 0, nextRow: 0, end: null };
  state.working.add(source);
}

/**
 * The next step: copying, which may share its message with others, or the last one, which moves everything.
 */
export function orderJob(state: LaneState, source: Instance): Job | null {
  const { switchOrder: order } = source;
  if (order === null || order.end !== null) return null;
  const left = source.players.size - order.nextRow;
  if (left > stepItems) {
    // As many steps as are needed at least: none of them comes after the last one.
    const steps = Math.ceil(left / (stepItems * idlePerItem));
    const stepsPerMessage = Math.min(silentStepsPerMessage, steps);
    return { job: `switch/${source.id}`, step: order.step, stepsPerMessage };
  }
  return isDue(state, source, order)
    ? { job: `move/${source.id}`, step: order.step, stepsPerMessage: 1 }
    : null;
}

/** The target has its seed, and its beacon if it wants one; or the switch can only be refused any more. */
function isDue(state: LaneState, source: Instance, order: SwitchOrder): boolean {
  const target = state.instances.get(order.target)!;
  return isReady(target, 0) || !isRunning(source) || source.suspended || target.status !== 'Pending';
}

/** Copies as far as the budget goes; the last step moves everything once the target can begin. */
export function workOnOrder(state: LaneState, source: Instance, budget: Budget, isLast: boolean): void {
  const { switchOrder: order } = source;
  assert(order !== null && order.end === null, 'a switch under way has an order');
  const target = state.instances.get(order.target)!;
  state.touch(source);
  state.touch(target);
  const nextRow = copyRows(state, source, target, order, budget);
  const next = { ...order, step: order.step + 1, nextRow };
  source.switchOrder = next;
  if (!isLast || nextRow < source.players.size || !isDue(state, source, next)) return;
  const plan = planSwitch(state, source, target, order, 'end');
  if (plan.kind === 'Refused') endOrder(state, source, refusal(state, plan));
  else moveAll(state, source, target, next, plan, budget);
}

/** The switch ends without a move: the source stays as it is, and what was copied is taken back. */
export function endOrder(state: LaneState, source: Instance, end: SwitchEnd): void {
  const { switchOrder: order } = source;
  assert(order !== null, 'a switch that ends has begun');
  const target = state.instances.get(order.target)!;
  state.touch(source);
  source.switchOrder = { ...order, end };
  state.touch(target);
  target.takingBackFrom = 0;
  state.working.add(target);
  takeBackOptIns(state, target, new Budget());
  announceInstance(state, source);
}

function refusal({ nowMs }: LaneState, { code, message }: Refusal): SwitchEnd {
  return { outcome: 'refused', atMs: nowMs, code, message };
}

/** In order of rows; returns the row to continue with. */
function copyRows(
  state: LaneState,
  source: Instance,
  target: Instance,
  order: SwitchOrder,
  budget: Budget,
): number {
  const { players } = source;
  let row = order.nextRow;
  for (let idle = 0; row < players.size && !budget.isSpent; row++) {
    if (hasOptIn(source, row)) {
      copyToTarget(state, source, target, order, row);
      budget.spend(0);
    } else if (++idle % idlePerItem === 0) budget.spend(0);
  }
  return row;
}

/** Money, bindings, links and status; debits, credits and flushes that are open stay with the source. */
function moveAll(
  state: LaneState,
  source: Instance,
  target: Instance,
  order: SwitchOrder,
  plan: SwitchPlan,
  budget: Budget,
): void {
  const { status } = source;
  assert(status === 'Active' || status === 'Paused', 'an instance that is switched runs');
  moveToTarget(state, source, target, plan, { step: order.step, nextRow: null });
  // One that its first command has ended leaves nothing to be told.
  const end: SwitchEnd = { outcome: 'done', atMs: state.nowMs, code: '', message: '' };
  source.switchOrder = order.step === 1 ? null : { ...order, end };
  changeStatus(state, source, 'Switched', order.reason);
  activate(state, target, order.reason, status);
  workOnSwitch(state, source, budget);
}
