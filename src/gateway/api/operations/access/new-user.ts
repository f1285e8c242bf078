import type { Authored } from '../../../../access/accounts/account-entries.ts';
import { newUsername } from '../../../../access/accounts/user-names.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { PublicError } from '../../../base/errors.ts';
import type { ApprovedRequest } from '../../operation/approved-request.ts';

/** The whole name of the user that the caller creates. @throws PublicError forbidden, invalid_identifier */
export function requireNewName(
  principal: AdministratorPrincipal,
  username: string,
  owners: readonly string[],
): string {
  const named = newUsername(principal, username, owners);
  if (named === 'forbidden')
    throw new PublicError(
      'forbidden',
      'A user of several operators is for an administrator of the whole system to add.',
    );
  if (named === 'invalid_identifier')
    throw new PublicError(
      'invalid_identifier',
      'An operator’s administrators name users name@operator_id; nobody else uses @.',
    );
  return named;
}

/** A name may be taken by an earlier attempt of the same approval. @throws PublicError already_exists */
export function requireUntaken(present: Authored | undefined, approved: ApprovedRequest | null): void {
  const isOurs = approved !== null && present?.approved?.id === approved.id;
  if (present !== undefined && !isOurs) throw new PublicError('already_exists');
}
