import type { Binding } from '../outcomes.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { noteChange } from '../status/change.ts';

/** Every binding of the source becomes one of the target, with its priority; where both are bound the target's stays. */
export function repointBindings(state: LaneState, source: string, target: string): void {
  for (const { of, owner, id, bindings } of [...state.bindings.all()]) {
    if (!bindings.some((each) => each.instance === source)) continue;
    state.bindings.set(of, owner, id, repointed(bindings, source, target));
    state.events.push({
      kind: 'BindingsChanged',
      of,
      owner,
      id,
      bindings: state.bindings.list(of, owner, id),
    });
  }
}

function repointed(bindings: readonly Binding[], source: string, target: string): readonly Binding[] {
  const others = bindings.filter((each) => each.instance !== source);
  if (others.some((each) => each.instance === target)) return others;
  return bindings.map((each) => (each.instance === source ? { ...each, instance: target } : each));
}

/** Who linked to the source links to the target, and the target links to what the source linked to. */
export function repointLinks(state: LaneState, source: Instance, target: Instance): void {
  for (const instance of state.instances.values()) {
    if (instance === target || !instance.links.includes(source.id)) continue;
    state.touch(instance);
    instance.links = withoutRepeats(instance, replaced(instance.links, source.id, target.id));
    noteChange(state, instance);
  }
  state.touch(target);
  const own = target.links.filter((id) => id !== source.id);
  target.links = withoutRepeats(target, [...own, ...source.links]);
}

function replaced(links: readonly string[], source: string, target: string): readonly string[] {
  return links.map((id) => (id === source ? target : id));
}

function withoutRepeats(instance: Instance, links: readonly string[]): readonly string[] {
  return [...new Set(links)].filter((id) => id !== instance.id);
}
