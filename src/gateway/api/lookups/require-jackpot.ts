import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { SourceLookup } from '../../../directory/resolve.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';

/**
 * The jackpot that applies to a source, from memory. Where the lane of the source's group has stopped nobody can say what
 * applies, or whether anything does.
 */
export function requireJackpot(
  { directory, lanes, clock }: Pick<GatewayContext, 'directory' | 'lanes' | 'clock'>,
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
