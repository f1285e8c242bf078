import type { Access } from '../../../../access/access.ts';
import type { AdministratorAccount } from '../../../../access/accounts/account-entries.ts';

/** An administrator as it is shown: without its password. */
export function administratorView({ lastLogins }: Pick<Access, 'lastLogins'>, account: AdministratorAccount) {
  return {
    username: account.username,
    roles: account.roles,
    owners: account.owners,
    enabled: account.enabled,
    created_timestamp: account.created,
    last_login_timestamp: lastLogins.of('administrator', account),
  };
}
