import type { ServiceAccount } from '../../../../access/accounts/account-entries.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { requireAllowed } from '../admin/shared/owner-access.ts';

/** A service user that exists and whose operator the caller manages users of. @throws PublicError user_not_found */
export function requireServiceUser(
  { access }: Pick<GatewayContext, 'access'>,
  principal: AdministratorPrincipal,
  username: string,
): ServiceAccount {
  const account = access.accounts.find('service', username);
  if (account === undefined) throw new PublicError('user_not_found');
  requireAllowed(principal, 'secure', account.operator_id, 'user_not_found');
  return account;
}
