import type { AdministratorAccount } from '../../../../access/accounts/account-entries.ts';
import { everyOwner, managesOwners } from '../../../../access/accounts/administrator-rights.ts';
import { system } from '../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { fitsClaims } from '../../../../contracts/accounts/users.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { requireAllowed, requireOwner } from '../admin/shared/owner-access.ts';

/** An administrator that exists, all of whose owners the caller manages users of. @throws PublicError user_not_found */
export function requireAdministrator(
  { access }: Pick<GatewayContext, 'access'>,
  principal: AdministratorPrincipal,
  username: string,
): AdministratorAccount {
  const account = access.accounts.find('administrator', username);
  if (account === undefined || !managesOwners(principal, account.owners))
    throw new PublicError('user_not_found');
  return account;
}

/** The owners to grant, each once. A foreign one is answered as a missing one, `*` with `forbidden`. */
export function grantedOwners(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owners: readonly string[],
): readonly string[] {
  const named = [...new Set(owners)];
  for (const owner of named) {
    if (owner === everyOwner) requireAllowed(principal, 'secure', system, 'forbidden');
    else requireOwner(context, principal, 'secure', owner);
  }
  if (!fitsClaims(named)) throw new PublicError('invalid_request', 'The owners do not fit in a token.');
  return named;
}
