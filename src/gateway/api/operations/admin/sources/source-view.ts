import type { SourceShape } from '../../../../../contracts/directory/source.ts';
import type { SourceEntry } from '../../../../../directory/owners.ts';
import type { ReadModel } from '../../../../../directory/read-model.ts';

/** A source as it is shown; the owner of an assigned jackpot is the instance's. */
export function sourceView(directory: ReadModel, source: SourceEntry): SourceShape {
  return {
    owner_id: source.owner,
    source_name: source.name,
    source_id: source.id,
    jackpots: directory.lanes.bindings('source', source.owner, source.id).map((binding) => ({
      priority: binding.priority,
      owner_id: directory.known(binding.instance)?.description.owner ?? source.owner,
      instance_id: binding.instance,
    })),
  };
}
