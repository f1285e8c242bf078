import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { isWithin, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import type { ReadModel } from '../../../../../directory/read-model.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireInstance } from './owner-access.ts';

/**
 * An instance that sources and segments of the owner may lead to: the caller may configure it (docs/decisions/0210), and
 * it is of the owner's operator or names brands of the owner. `instanceOwner`: whose the caller says that it is; null
 * where it did not say.
 */
export function requireReachable(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  instance: string,
  instanceOwner: string | null,
): KnownInstance {
  const { directory } = context;
  const known = requireInstance(context, principal, 'configure', instance);
  if (!reaches(directory, known, owner)) throw new PublicError(directory.unknownOr('instance_not_found'));
  if (instanceOwner !== null && instanceOwner !== known.description.owner)
    throw new PublicError(directory.unknownOr('instance_not_found'));
  return known;
}

/** The jackpots of one source or segment: checked together, before the first is bound. */
export function requireOneGroup(jackpots: readonly KnownInstance[]): void {
  const groups = new Set(jackpots.map((known) => known.description.group));
  if (groups.size > 1) throw new PublicError('group_mismatch');
}

function reaches(directory: ReadModel, known: KnownInstance, owner: string): boolean {
  if (operatorOf(known.description.owner) === operatorOf(owner)) return true;
  return directory.allowedBrands(known).some((brand) => isWithin(brand, owner));
}
