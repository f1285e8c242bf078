import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { isVisibleToOperator } from '../../../directory/configuration-view.ts';
import type { ContributionTarget } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';
import type { DirectoryInstance, DirectoryReadModel } from '../directory/directory-read-model.ts';
import type { ContributionRequest } from './request.ts';

export interface TargetLane {
  readonly lane: number;
  /** null where the target is a source: the lane chooses the instance. */
  readonly instance: DirectoryInstance | null;
  /** As the lane is told. */
  readonly named: ContributionTarget;
}

/**
 * The lane that the target lives in, where the brand's operator may see it; which of its brands may contribute, the lane
 * decides. null: neither the brand nor its operator has such a source.
 */
export function targetLane(
  directory: DirectoryReadModel,
  lanes: LaneClient,
  target: ContributionRequest['target'],
  brand: string,
): TargetLane | null {
  if (target.type === 'source') {
    const group = directory.groupOfSource(brand, target.id);
    if (group === undefined) return null;
    const { id } = target;
    const named: ContributionTarget =
      group === operatorOf(brand) ? { type: 'source', id } : { type: 'source', id, group };
    const lane = lanes.laneOf(group);
    requireLane(directory, lane);
    return { lane, instance: null, named };
  }
  const instance = directory.instance(target.id);
  if (
    instance === undefined ||
    !isVisibleToOperator(instance.owner, instance.allowedBrands, operatorOf(brand))
  )
    throw new PublicError(directory.unknownOr('instance_not_found'));
  const lane = lanes.laneOf(instance.group);
  requireLane(directory, lane);
  return { lane, instance, named: { type: 'instance', id: target.id } };
}

function requireLane({ conditions }: DirectoryReadModel, lane: number): void {
  const fault = conditions.fault(lane);
  if (fault !== null) throw new PublicError(fault);
}
