import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import type { ContributionTarget } from '../../../messages/player-commands.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import type { ContributionRequest } from './request.ts';

export interface TargetLane {
  readonly lane: number;
  /** null where the target is a source: the lane chooses the instance. */
  readonly known: KnownInstance | null;
  /** As the lane is told. */
  readonly named: ContributionTarget;
}

/** The lane of a target that the brand's operator may see; null: there is no such source. */
export function targetLane(
  { directory, lanes }: GatewayContext,
  { type, id }: ContributionRequest['target'],
  brand: string,
): TargetLane | null {
  const operator = operatorOf(brand);
  if (type === 'source') {
    const group = directory.groupOfSource(brand, id);
    if (group === undefined) return null;
    const lane = requireLane(directory, lanes.laneOf(group));
    return { lane, known: null, named: group === operator ? { type, id } : { type, id, group } };
  }
  const known = directory.known(id);
  if (known === undefined || !directory.visibleTo({ kind: 'operator', operator }, known))
    throw new PublicError(directory.unknownOr('instance_not_found'));
  const lane = requireLane(directory, lanes.laneOf(known.description.group));
  return { lane, known, named: { type, id } };
}

function requireLane({ conditions }: ReadModel, lane: number): number {
  const fault = conditions.fault(lane);
  if (fault !== null) throw new PublicError(fault);
  return lane;
}
