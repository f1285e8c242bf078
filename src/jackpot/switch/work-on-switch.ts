import { assert } from '../../lib/assert.ts';
import { describe } from '../describe.ts';
import { HAS_OPT_IN } from '../opt-in/status.ts';
import type { Instance, SwitchWork } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { FLAGS } from '../state/player-segment.ts';
import type { Budget } from '../work/budget.ts';
import { tellInstance } from '../work/tell-instance.ts';
import type { Job } from '../work/work.ts';
import { copyOptIn } from './copy-opt-in.ts';

/** Rows without an opt-in cost little: this many of them count as one item. */
const IDLE_PER_ITEM = 16;
/** A step that tells nobody anything may stand in a message with others. */
const QUIET_STEPS_PER_MESSAGE = 8;
/** Bytes of a binding, and of an instance beside its configuration, in an event. */
const BINDING_BYTES = 160;
const INSTANCE_BYTES = 4096;

export function switchJob(instance: Instance): Job | null {
  const { switching } = instance;
  if (switching === null) return null;
  const tells = switching.untoldBindings.length + switching.untoldInstances.length > 0;
  return {
    job: `switch/${instance.id}`,
    step: switching.step,
    stepsPerMessage: tells ? 1 : QUIET_STEPS_PER_MESSAGE,
  };
}

/** Goes on with what a switch leaves to do, as far as the budget goes: telling of bindings and links, copying opt-ins. */
export function workOnSwitch(state: LaneState, source: Instance, budget: Budget): void {
  const target = state.instances.get(source.switchedTo);
  const { switching } = source;
  assert(switching !== null && target !== undefined, 'work of a switch has a target');
  state.touch(source);
  state.touch(target);
  const untoldBindings = tell(switching.untoldBindings, budget, (place) => tellBindings(state, place));
  const untoldInstances = tell(switching.untoldInstances, budget, (id) => tellOf(state, id));
  const nextRow =
    switching.nextRow === null ? null : copyRows(state, source, target, switching.nextRow, budget);
  const isDone = untoldBindings.length === 0 && untoldInstances.length === 0 && nextRow === null;
  source.switching = isDone ? null : { step: switching.step + 1, untoldBindings, untoldInstances, nextRow };
  if (isDone) state.noteDuty(target);
}

/** Tells of one after the other; returns those that are left. */
function tell<T>(all: readonly T[], budget: Budget, each: (item: T) => number): readonly T[] {
  let told = 0;
  for (; told < all.length && !budget.isSpent; told++) budget.spend(each(all[told]!));
  return all.slice(told);
}

function tellBindings(state: LaneState, { of, owner, id }: SwitchWork['untoldBindings'][number]): number {
  const bindings = state.bindings.list(of, owner, id);
  state.tell({ kind: 'BindingsChanged', of, owner, id, bindings });
  return BINDING_BYTES * (1 + bindings.length);
}

function tellOf(state: LaneState, id: string): number {
  const instance = state.instances.get(id)!;
  tellInstance(state, instance);
  return INSTANCE_BYTES + JSON.stringify(describe(instance).configuration).length;
}

/** In order of rows; returns the row to go on with, null where all are done. */
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
    const flags = players.segmentOf(row).rows[players.at(row) + FLAGS]!;
    if ((flags & HAS_OPT_IN) !== 0) {
      copyOptIn(state, source, target, row);
      budget.spend(0);
    } else if (++idle % IDLE_PER_ITEM === 0) budget.spend(0);
  }
  return null;
}
