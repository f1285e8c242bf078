import { type Action, authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { ErrorCode } from '../../../../../contracts/errors/codes.ts';
import { brandOf, isBrandPath } from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { enabledBrand, type ScopedBrand } from '../../../contribution/brand-scope.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** Throws `missing` for a foreign owner, forbidden where the caller's roles do not reach. */
export function requireAllowed(
  principal: AdministratorPrincipal,
  action: Action,
  owner: string,
  missing: ErrorCode,
): void {
  const decision = authorize(principal, action, owner);
  if (decision === 'forbidden') throw new PublicError('forbidden');
  if (decision === 'foreign') throw new PublicError(missing);
}

/** An operator or a brand that exists and that the caller may act on. */
export function requireOwner(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  action: Action,
  owner: string,
): void {
  const missing = brandOf(owner) === null ? 'operator_not_found' : 'brand_not_found';
  requireAllowed(principal, action, owner, missing);
  if (context.directory.entries.enabled(owner) === null) throw new PublicError(missing);
}

/** An instance that exists and whose owner the caller may act on. */
export function requireInstance(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  action: Action,
  instance: string,
): KnownInstance {
  const known = context.directory.known(instance);
  const missing = context.directory.unknownOr('instance_not_found');
  if (known === undefined) throw new PublicError(missing);
  requireAllowed(principal, action, known.description.owner, missing);
  return known;
}

interface ListedOwners {
  readonly owner_id?: string | undefined;
  readonly brand_id?: string | undefined;
  readonly instance_id?: string | undefined;
}

/** The owner, brand and instance that a list is filtered by exist, and the caller may read them. */
export function requireListed(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  { owner_id: owner, brand_id: brand, instance_id: instance }: ListedOwners,
): void {
  if (owner !== undefined) requireOwner(context, principal, 'read', owner);
  if (brand !== undefined) {
    if (!isBrandPath(brand)) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'read', brand);
  }
  if (instance !== undefined) requireInstance(context, principal, 'read', instance);
}

/** Existence comes before state: a missing pot is reported before a version conflict of the instance. */
export function requirePot(known: KnownInstance, pot: string): void {
  if (!known.configuration.pots.some(({ id }) => id === pot)) throw new PublicError('pot_not_found');
}

export function mayRead(principal: AdministratorPrincipal, owner: string): boolean {
  return authorize(principal, 'read', owner) === 'allowed';
}

/** An id of the path may be repeated in the body and must then be equal. */
export function requireSameId(inBody: string | null | undefined, inPath: string): void {
  if (inBody !== null && inBody !== undefined && inBody !== inPath) throw new PublicError('invalid_request');
}

/**
 * The enabled brand whose players an administrator moves money for; `operator`: of a bare brand, null: none.
 * @throws PublicError brand_not_found, forbidden, owner_disabled
 */
export function requirePlayersBrand(
  { directory }: GatewayContext,
  principal: AdministratorPrincipal,
  brand: string,
  operator: string | null,
): ScopedBrand {
  const path = directory.entries.brandPath(brand, operator);
  const entry = path === null ? undefined : directory.brand(path);
  if (path === null || entry === undefined) throw new PublicError('brand_not_found');
  requireAllowed(principal, 'move_money', path, 'brand_not_found');
  return enabledBrand(directory, path, entry);
}
