import type { Access } from '../../../../access/access.ts';
import type { ServiceAccount } from '../../../../access/accounts/account-entries.ts';

/** A service user as it is shown: without its password and the secrets of its keys. */
export function serviceUserView(
  { lastLogins, requestKeys }: Pick<Access, 'lastLogins' | 'requestKeys'>,
  account: ServiceAccount,
) {
  return {
    username: account.username,
    operator_id: account.operator_id,
    brands: account.brands,
    rights: account.rights ?? [],
    key_ids: requestKeys.idsOf(account.username),
    enabled: account.enabled,
    created_timestamp: account.created,
    last_login_timestamp: lastLogins.of('service', account),
  };
}
