import type { ServiceAccount } from '../../../access/account-entries.ts';

/** A service user as it is shown: without its password. */
export function serviceUserView(account: ServiceAccount) {
  return {
    username: account.username,
    operator_id: account.operator_id,
    brands: account.brands,
    created_timestamp: account.created,
  };
}
