import { assert } from '../../../lib/assert.ts';
import { announceInstance, describe } from '../../rules/descriptions/describe.ts';
import { copyOptIn, takeBackCopy } from '../../rules/opt-ins/copy-opt-in.ts';
import { hasOptInFlag } from '../../rules/opt-ins/status.ts';
import type { Budget, Job } from '../../rules/steps/steps.ts';
import { recordTransfer } from '../../rules/transfers/transfers.ts';
import type { Instance, SwitchWork } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { flagsAt } from '../../state/players/player-segment.ts';
import type { SwitchPlan } from './check.ts';
import { repointBindings, repointLinks } from './repoint.ts';

/** Rows without an opt-in cost little: this many of them count as one item. */
export const idlePerItem = 16;
/** A step without announcements may share its message with others. */
export const silentStepsPerMessage = 8;
/** Bytes of a binding, and of an instance beside its configuration, in an event. */
const bindingBytes = 160;
const instanceBytes = 4096;

/** Moves balances, bindings and links; announcing them is work that the switch leaves. */
export function moveToTarget(
  state: LaneState,
  source: Instance,
  target: Instance,
  plan: SwitchPlan,
  left: Pick<SwitchWork, 'step' | 'nextRow'>,
): void {
  const before = source.balances.slice();
  source.balances.set(plan.source);
  target.balances.set(plan.target);
  recordTransfer(state, source, before, 'switch', target.id);
  source.switchedTo = target.id;
  target.switchedFrom = source.id;
  const unannouncedBindings = repointBindings(state, source.id, target.id);
  source.switching = {
    ...left,
    unannouncedBindings,
    unannouncedInstances: repointLinks(state, source, target),
  };
}

export function switchJob(instance: Instance): Job | null {
  const { switching } = instance;
  if (switching === null) return null;
  const hasAnnouncements = switching.unannouncedBindings.length + switching.unannouncedInstances.length > 0;
  return {
    job: `switch/${instance.id}`,
    step: switching.step,
    stepsPerMessage: hasAnnouncements ? 1 : silentStepsPerMessage,
  };
}

/** Announces bindings and links and copies opt-ins, as far as the budget goes. */
export function workOnSwitch(state: LaneState, source: Instance, budget: Budget): void {
  const target = state.instances.get(source.switchedTo);
  const { switching } = source;
  assert(switching !== null && target !== undefined, 'work of a switch has a target');
  state.touch(source);
  state.touch(target);
  const unannouncedBindings = announce(switching.unannouncedBindings, budget, (place) =>
    announceBindings(state, place),
  );
  const unannouncedInstances = announce(switching.unannouncedInstances, budget, (id) =>
    announceInstanceById(state, id),
  );
  const nextRow =
    switching.nextRow === null ? null : copyRows(state, source, target, switching.nextRow, budget);
  const isDone = unannouncedBindings.length === 0 && unannouncedInstances.length === 0 && nextRow === null;
  source.switching = isDone
    ? null
    : { ...switching, step: switching.step + 1, unannouncedBindings, unannouncedInstances, nextRow };
  if (isDone) state.noteOwnerTask(target);
}

/** Tells of one after the other; returns those that are left. */
function announce<T>(all: readonly T[], budget: Budget, each: (item: T) => number): readonly T[] {
  let announced = 0;
  for (; announced < all.length && !budget.isSpent; announced++) budget.spend(each(all[announced]!));
  return all.slice(announced);
}

function announceBindings(
  state: LaneState,
  { of, owner, id }: SwitchWork['unannouncedBindings'][number],
): number {
  const bindings = state.bindings.list(of, owner, id);
  state.announce({ kind: 'BindingsChanged', of, owner, id, bindings });
  return bindingBytes * (1 + bindings.length);
}

function announceInstanceById(state: LaneState, id: string): number {
  const instance = state.instances.get(id)!;
  announceInstance(state, instance);
  return instanceBytes + JSON.stringify(describe(instance).configuration).length;
}

/** In order of rows; returns the row to continue with, null if all are done. */
function copyRows(
  state: LaneState,
  source: Instance,
  target: Instance,
  fromRow: number,
  budget: Budget,
): number | null {
  const { players } = source;
  let idle = 0;
  for (let row = fromRow; row < players.size; row++) {
    if (budget.isSpent) return row;
    const flags = players.segmentOf(row).rows[players.at(row) + flagsAt]!;
    if ((flags & hasOptInFlag) !== 0) {
      copyOptIn(state, source, target, row);
      budget.spend(0);
    } else if (++idle % idlePerItem === 0) budget.spend(0);
  }
  return null;
}

/** The row that it goes on from is its step: each step is another one. */
export function takeBackJob({ id, takingBackFrom }: Instance): Job | null {
  if (takingBackFrom === null) return null;
  return { job: `take-back/${id}`, step: takingBackFrom, stepsPerMessage: 1 };
}

/** Opt-ins that a switch had copied to the instance before it ended without a move are taken back. */
export function takeBackOptIns(state: LaneState, target: Instance, budget: Budget): void {
  state.touch(target);
  const { players } = target;
  let row = target.takingBackFrom ?? 0;
  for (let idle = 0; row < players.size && !budget.isSpent; row++) {
    if (takeBackCopy(state, target, row) || ++idle % idlePerItem === 0) budget.spend(0);
  }
  target.takingBackFrom = row < players.size ? row : null;
  if (target.takingBackFrom === null) state.noteOwnerTask(target);
}
