import { SortedMap } from '../../lib/sorted/sorted-map.ts';
import type { AdministratorAccount, ServiceAccount } from './account-entries.ts';
import type { AccountStore } from './account-store.ts';
import { accountOfLogin, type LastLogins, type LoginKind } from './last-logins.ts';

type Common = 'username' | 'created_timestamp' | 'last_login_timestamp';

/** Users by name, in the orders of their lists (docs/decisions/0207). */
export interface SortedUsers {
  readonly administrator: SortedMap<AdministratorAccount, Common>;
  /** Those of an operator are a group. */
  readonly service: SortedMap<ServiceAccount, Common | 'operator_id'>;
}

/** Sorts the users of the account store and follows its changes. */
export function sortUsers(accounts: AccountStore, lastLogins: LastLogins): SortedUsers {
  const users: SortedUsers = {
    administrator: new SortedMap<AdministratorAccount, Common>({
      fields: commonFields('administrator', lastLogins),
      tie: ({ username }) => username,
      moving: ['last_login_timestamp'],
    }),
    service: new SortedMap<ServiceAccount, Common | 'operator_id'>({
      fields: { ...commonFields('service', lastLogins), operator_id: ({ operator_id }) => operator_id },
      tie: ({ username }) => username,
      groups: ({ operator_id }) => [operator_id],
      moving: ['last_login_timestamp'],
    }),
  };
  follow(accounts, 'administrator', users.administrator);
  follow(accounts, 'service', users.service);
  accounts.onLogin((login) => {
    const [kind, username] = accountOfLogin(login);
    users[kind].moved(username);
  });
  return users;
}

type User = Pick<ServiceAccount, 'username' | 'created'>;

function commonFields(kind: LoginKind, lastLogins: LastLogins) {
  return {
    username: ({ username }: User) => username,
    created_timestamp: ({ created }: User) => created,
    last_login_timestamp: (user: User) => lastLogins.of(kind, user) ?? 0,
  };
}

function follow<K extends LoginKind>(
  accounts: AccountStore,
  kind: K,
  users: Map<string, K extends 'service' ? ServiceAccount : AdministratorAccount>,
): void {
  type Account = Parameters<typeof users.set>[1];
  for (const [name, account] of accounts.entries(kind)) users.set(name, account as Account);
  accounts.onChange((changed, name) => {
    if (changed !== kind) return;
    const account = accounts.find(kind, name) as Account | undefined;
    // Another user of the same name may belong to another operator.
    if (account?.created !== users.get(name)?.created) users.delete(name);
    if (account !== undefined) users.set(name, account);
  });
}
