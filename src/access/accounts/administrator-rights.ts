import { type AdministratorRole, administratorRoles } from '../../contracts/accounts/users.ts';
import { isWithin, operatorOf } from '../../contracts/fields/identifiers.ts';
import { authorize, system } from '../rights/authorize.ts';
import type { AdministratorPrincipal } from '../rights/principal.ts';
import type { AccountIdentity, AdministratorAccount } from './account-entries.ts';

/** Why an administrator may not change another one. */
export type UserRefusal = 'token_revoked' | 'user_not_found' | 'forbidden';

/** Absent members stay as they are. */
export interface AdministratorChange {
  readonly password?: string;
  readonly roles?: readonly AdministratorRole[];
  readonly owners?: readonly string[];
  readonly enabled?: boolean;
  /** The second factor is enrolled or removed: that counts as giving a password. */
  readonly secondFactor?: true;
  /** Who enters by it needs no password, so giving one counts as giving a password; null: it is removed. */
  readonly identity?: AccountIdentity | null;
}

/** Rights as a principal or an account holds them. */
type Rights = Pick<AdministratorPrincipal, 'roles' | 'owners'>;

const added: AdministratorRole = 'operations';

/** `*` among the owners of an administrator: the whole system. */
export const everyOwner = '*';

/** Whether all owners of the other administrator are within those that the caller manages users for. */
export function managesOwners(by: Rights, owners: readonly string[]): boolean {
  const principal = { ...nobody, roles: by.roles, owners: by.owners };
  return owners.every(
    (owner) => authorize(principal, 'secure', owner === everyOwner ? system : owner) === 'allowed',
  );
}

/**
 * Whether the caller has all these roles: others it may not grant. Who has each other role in the whole
 * system counts as having `operations`, which the first administrators of older systems were not given.
 */
export function holdsRoles(by: Rights, roles: readonly AdministratorRole[]): boolean {
  const isWhole =
    by.owners.has(everyOwner) && administratorRoles.every((role) => role === added || by.roles.has(role));
  return roles.every((role) => by.roles.has(role) || (role === added && isWhole));
}

/**
 * Judges a change of `other` by `own`, the account of the administrator who asks; null: allowed.
 * Administrators never change their own account, and never take over or revive rights that they do not have
 * (docs/decisions/0210).
 */
export function judgeChange(
  own: AdministratorAccount | null,
  other: AdministratorAccount | null,
  change: AdministratorChange,
): UserRefusal | null {
  if (own === null || !own.enabled) return 'token_revoked';
  const by = { roles: new Set(own.roles), owners: new Set(own.owners) };
  if (!by.roles.has('security')) return 'forbidden';
  if (other === null || !managesOwners(by, other.owners)) return 'user_not_found';
  if (own.username === other.username) return 'forbidden';
  const after = change.roles ?? other.roles;
  const widens = change.owners?.some((owner) => !other.owners.includes(owner)) === true;
  const granted =
    revives(other, change) || widens ? after : after.filter((role) => !other.roles.includes(role));
  if (!holdsRoles(by, granted)) return 'forbidden';
  const owners = change.owners ?? [];
  if (!managesOwners(by, owners)) return 'forbidden';
  return by.owners.has(everyOwner) || isOfOperators(other.owners, owners) ? null : 'forbidden';
}

/** Whether a change lets an administrator do more, or lets in anyone who knows the new password. */
export function widensAdministrator(present: AdministratorAccount, change: AdministratorChange): boolean {
  const { roles = [], owners = [] } = change;
  return (
    revives(present, change) ||
    roles.some((role) => !present.roles.includes(role)) ||
    owners.some((owner) => !present.owners.some((each) => each === everyOwner || isWithin(owner, each)))
  );
}

function revives(
  present: AdministratorAccount,
  { password, enabled, secondFactor, identity }: AdministratorChange,
): boolean {
  const isGiven = password !== undefined || secondFactor === true || (identity ?? null) !== null;
  return isGiven || (enabled === true && !present.enabled);
}

/** Whether a user stays one of its operators, whose name its own may end with. */
function isOfOperators(present: readonly string[], owners: readonly string[]): boolean {
  const operators = new Set(present.map(operatorOf));
  return owners.every((owner) => operators.has(operatorOf(owner)));
}

const nobody: AdministratorPrincipal = {
  kind: 'administrator',
  subject: '',
  roles: new Set(),
  owners: new Set(),
  tokenId: '',
  expiresAtMs: 0,
};
