import { isCountry } from '../../../contracts/fields/countries.ts';
import { isOwnId, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { SourceLookup } from '../../../directory/resolve.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';

/** Who asks for a target: the source that it may be is resolved for this player. */
export interface TargetOf {
  readonly target: { readonly type: 'instance' | 'source'; readonly id: string };
  /** Brand path. */
  readonly brand: string;
  readonly country: string;
  readonly segments: readonly string[];
}

/** The instance of a target, where the brand's operator may see it; sources are resolved as in lookups. */
export function targetInstance(
  context: GatewayContext,
  { target, brand, country, segments }: TargetOf,
): KnownInstance {
  const { directory } = context;
  if (target.type === 'instance') {
    if (!isOwnId(target.id)) throw new PublicError('invalid_identifier');
    return visibleInstance(context, target.id, operatorOf(brand));
  }
  if (!directory.hasSource(brand, target.id)) throw new PublicError('source_not_found');
  if (!isCountry(country)) throw new PublicError('country_invalid');
  const lookup = { brand, source: target.id, segments, country };
  return requireJackpot(context, lookup);
}

/** An instance of the operator, or one that names a brand of it. */
export function visibleInstance(
  { directory }: GatewayContext,
  instance: string,
  operator: string,
): KnownInstance {
  const known = directory.known(instance);
  if (known === undefined || !directory.visibleTo({ kind: 'operator', operator }, known))
    throw new PublicError(directory.unknownOr('instance_not_found'));
  return known;
}

/** The jackpot that applies to a source, from memory; a stopped lane's source gets the lane's fault. */
export function requireJackpot(
  { directory, lanes, clock }: GatewayContext,
  lookup: Omit<SourceLookup, 'group'>,
): KnownInstance {
  const known = directory.jackpotForSource(lookup, clock.nowMs());
  if (known !== null) {
    requireServed(directory, known);
    return known;
  }
  const group = directory.groupOfSource(lookup.brand, lookup.source);
  const fault = group === undefined ? null : directory.conditions.fault(lanes.laneOf(group));
  throw new PublicError(fault ?? 'jackpot_not_found');
}

/** Values from memory must be live: those of a stopped lane would be old without showing it. */
export function requireServed({ conditions }: GatewayContext['directory'], { lane }: KnownInstance): void {
  const fault = conditions.fault(lane);
  if (fault !== null) throw new PublicError(fault);
}
