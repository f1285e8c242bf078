import type { SetDetails, SetLinks } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { isOutdated, noteChange } from '../../rules/statuses/change.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

export const maxLinks = 20;

/** Name and description apply at once. */
export function setDetails(state: LaneState, command: SetDetails): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
  state.touch(instance);
  instance.name = command.name ?? instance.name;
  instance.description = command.description ?? instance.description;
  noteChange(state, instance);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

/** Linked instances are of the same group; links are direct only. */
export function setLinks(state: LaneState, command: SetLinks): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
  const links = [...new Set(command.links)].filter((id) => id !== instance.id);
  if (links.length > maxLinks) {
    return refused('config_invalid', `an instance has at most ${maxLinks} links`);
  }
  for (const id of links) {
    const linked = state.instances.get(id);
    if (linked === undefined) return refused('instance_not_found', `the linked instance ${id} is not known`);
    if (linked.facts.group !== instance.facts.group) return refused('group_mismatch');
  }
  state.touch(instance);
  instance.links = links;
  noteChange(state, instance);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}
