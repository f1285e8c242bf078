import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { ownedKey, type SegmentEntry } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';

/** A segment that exists and whose owner the caller may configure. */
export function requireSegment(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  id: string,
): SegmentEntry {
  requireOwner(context, principal, 'configure', owner);
  const segment = context.directory.entries.segments.get(ownedKey(owner, id));
  if (segment === undefined) throw new PublicError('segment_not_found');
  return segment;
}
