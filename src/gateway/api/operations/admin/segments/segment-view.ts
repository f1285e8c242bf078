import type { SegmentShape } from '../../../../../contracts/directory/segment.ts';
import type { SegmentEntry } from '../../../../../directory/owners.ts';
import type { ReadModel } from '../../../../../directory/read-model.ts';

/** A segment as it is shown; the owner of an assigned jackpot is the instance's. */
export function segmentView(directory: ReadModel, segment: SegmentEntry): SegmentShape {
  return {
    owner_id: segment.owner,
    id: segment.id,
    name: segment.name,
    priority: segment.priority,
    jackpots: directory.lanes.bindings('segment', segment.owner, segment.id).map((binding) => ({
      priority: binding.priority,
      owner_id: directory.known(binding.instance)?.description.owner ?? segment.owner,
      instance_id: binding.instance,
    })),
  };
}
