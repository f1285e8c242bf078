import type { Contribute } from '../commands.ts';
import { isOptedIn } from '../opt-in/status.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { admissionRefusal } from './admission.ts';

/** Step 0 of domain.md 3: the instance that a contribution goes to; null where there is none. */
export function resolveTarget(state: LaneState, command: Contribute): Instance | null {
  if (command.target.type === 'instance') return state.instances.get(command.target.id) ?? null;
  const group = command.target.group ?? command.operator;
  for (const id of candidates(state, command, command.target.id, group)) {
    const instance = state.instances.get(id);
    if (instance !== undefined && isOpenFor(state, instance, command)) return instance;
  }
  return null;
}

/**
 * The player's segments by priority, then the source's own list; a brand's before its operator's. Of the segments only
 * what is in the source's group: other groups that share the lane today may not tomorrow.
 */
function* candidates(state: LaneState, command: Contribute, source: string, group: string): Iterable<string> {
  const owners = [command.brand, command.operator];
  const segments = command.segments
    .flatMap((segment) =>
      owners.flatMap((owner, rank) => {
        const priority = state.bindings.segmentPriority(owner, segment);
        return priority === null ? [] : [{ owner, segment, priority, rank }];
      }),
    )
    .sort((a, b) => a.priority - b.priority || a.rank - b.rank || (a.segment < b.segment ? -1 : 1));
  for (const { owner, segment } of segments) {
    for (const { instance } of state.bindings.list('segment', owner, segment)) {
      if (state.instances.get(instance)?.facts.group === group) yield instance;
    }
  }
  for (const owner of owners) {
    for (const binding of state.bindings.list('source', owner, source)) yield binding.instance;
  }
}

function isOpenFor(state: LaneState, instance: Instance, command: Contribute): boolean {
  if (admissionRefusal(instance, command.brand, command.country, state.nowMs) !== null) return false;
  if (!instance.configuration.rules.optInRequired) return true;
  const brand = state.brands.get(command.brand);
  if (brand === null) return false;
  const row = instance.players.find(brand.number, command.player);
  return row >= 0 && isOptedIn(instance, row, command.currency);
}
