import type { Binding } from '../../../messages/records.ts';
import type { Instance, SwitchWork } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** The source's bindings become the target's. Returns the changed lists, which are not announced yet. */
export function repointBindings(
  state: LaneState,
  source: string,
  target: string,
): SwitchWork['unannouncedBindings'] {
  const changed = [...state.bindings.all()].filter(({ bindings }) =>
    bindings.some((each) => each.instance === source),
  );
  for (const { of, owner, id, bindings } of changed) {
    state.bindings.set(of, owner, id, repointed(bindings, source, target));
  }
  return changed.map(({ of, owner, id }) => ({ of, owner, id }));
}

function repointed(bindings: readonly Binding[], source: string, target: string): readonly Binding[] {
  const others = bindings.filter((each) => each.instance !== source);
  if (others.some((each) => each.instance === target)) return others;
  return bindings.map((each) => (each.instance === source ? { ...each, instance: target } : each));
}

/** Links to the source become links to the target. Returns the changed instances except the target. */
export function repointLinks(state: LaneState, source: Instance, target: Instance): readonly string[] {
  const linking = [...state.instances.values()].filter(
    (instance) => instance !== target && instance.links.includes(source.id),
  );
  for (const instance of linking) {
    state.touch(instance);
    instance.links = withoutRepeats(instance, replaced(instance.links, source.id, target.id));
    instance.version += 1;
    instance.lastUpdatedMs = state.nowMs;
  }
  state.touch(target);
  const own = target.links.filter((id) => id !== source.id);
  target.links = withoutRepeats(target, [...own, ...source.links]);
  return linking.map((instance) => instance.id);
}

function replaced(links: readonly string[], source: string, target: string): readonly string[] {
  return links.map((id) => (id === source ? target : id));
}

function withoutRepeats(instance: Instance, links: readonly string[]): readonly string[] {
  return [...new Set(links)].filter((id) => id !== instance.id);
}
