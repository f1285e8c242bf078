import { operatorOf } from '../../contracts/identifiers.ts';
import type { ContributionTarget } from '../../messages/player-commands.ts';
import type { DirectoryReadModel, InstanceEntry } from '../directory/directory-read-model.ts';
import { PublicError } from '../errors.ts';
import type { LaneClient } from '../lane-client.ts';
import type { ContributionRequest } from './request.ts';

export interface TargetLane {
  readonly lane: number;
  /** null where the target is a source: the lane chooses the instance. */
  readonly instance: InstanceEntry | null;
  /** As the lane is told. */
  readonly named: ContributionTarget;
}

/** The lane that the target lives in, where the brand may see it; null: neither the brand nor its operator has such a source. */
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
  if (instance === undefined || !isVisible(instance, brand))
    throw new PublicError(directory.unknownOr('instance_not_found'));
  const lane = lanes.laneOf(instance.group);
  requireLane(directory, lane);
  return { lane, instance, named: { type: 'instance', id: target.id } };
}

function requireLane({ conditions }: DirectoryReadModel, lane: number): void {
  const fault = conditions.fault(lane);
  if (fault !== null) throw new PublicError(fault);
}

/**
 * An instance is there for its operator's brands and for the operators whose brands it names; which of their brands may
 * contribute, the lane decides.
 */
function isVisible(instance: InstanceEntry, brand: string): boolean {
  const operator = operatorOf(brand);
  if (operatorOf(instance.owner) === operator) return true;
  return instance.allowedBrands?.some((allowed) => operatorOf(allowed) === operator) === true;
}
