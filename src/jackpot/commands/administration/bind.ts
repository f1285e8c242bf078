import type {
  Bind,
  BindingOwnerKind,
  SetBindingPriorities,
  Unbind,
} from '../../../messages/instance-commands.ts';
import type { SetSegment } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import type { Binding } from '../../../messages/records.ts';
import { refused } from '../../../messages/refusals.ts';
import { isBounded } from '../../rules/configuration/bounds.ts';
import { laneDone } from '../../rules/statuses/change.ts';
import { nextPriority } from '../../state/directory/bindings.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** A list is announced as a whole, in one event and in one place of an answer. */
const maxBindings = 1000;

/** Binding again changes nothing but a priority that was given. */
export function bind(state: LaneState, command: Bind): CommandOutcome {
  if (!state.instances.has(command.instance)) return refused('instance_not_found');
  if (isBounded(state) && command.ids.some((id) => isFullFor(state, command, id))) {
    return refused('invalid_parameter', `a source or segment leads to at most ${maxBindings} instances`);
  }
  for (const id of command.ids) {
    const bindings = state.bindings.list(command.of, command.owner, id);
    const present = bindings.find((each) => each.instance === command.instance);
    const priority =
      command.priority ?? present?.priority ?? nextPriority(bindings, state.rules.highestPriority);
    const others = bindings.filter((each) => each !== present);
    store(state, command.of, command.owner, id, [...others, { instance: command.instance, priority }]);
  }
  return laneDone;
}

export function unbind(state: LaneState, command: Unbind): CommandOutcome {
  const bound = command.ids.filter((id) =>
    state.bindings.list(command.of, command.owner, id).some((each) => each.instance === command.instance),
  );
  if (bound.length === 0) return refused('not_mapped');
  for (const id of bound) {
    const bindings = state.bindings.list(command.of, command.owner, id);
    const kept = bindings.filter((each) => each.instance !== command.instance);
    store(state, command.of, command.owner, id, kept);
  }
  return laneDone;
}

export function setBindingPriorities(state: LaneState, command: SetBindingPriorities): CommandOutcome {
  const bindings = state.bindings.list(command.of, command.owner, command.id);
  const wanted = new Map(command.priorities);
  const known = new Set(bindings.map((each) => each.instance));
  if (command.priorities.some(([instance]) => !known.has(instance))) return refused('not_mapped');
  const changed = bindings.map(({ instance, priority }) => ({
    instance,
    priority: wanted.get(instance) ?? priority,
  }));
  store(state, command.of, command.owner, command.id, changed);
  return laneDone;
}

export function setSegment(state: LaneState, command: SetSegment): CommandOutcome {
  state.bindings.setSegmentPriority(command.owner, command.segment, command.priority);
  return laneDone;
}

function isFullFor({ bindings }: LaneState, { of, owner, instance }: Bind, id: string): boolean {
  const list = bindings.list(of, owner, id);
  return list.length >= maxBindings && !list.some((each) => each.instance === instance);
}

function store(
  state: LaneState,
  of: BindingOwnerKind,
  owner: string,
  id: string,
  bindings: readonly Binding[],
): void {
  state.bindings.set(of, owner, id, bindings);
  state.announce({ kind: 'BindingsChanged', of, owner, id, bindings: state.bindings.list(of, owner, id) });
}
