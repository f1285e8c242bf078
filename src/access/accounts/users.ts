import type { AdministratorRole } from '../../contracts/accounts/users.ts';
import type { Clock, Random } from '../../ports.ts';
import { administratorTurn, type Passwords } from '../passwords/password.ts';
import {
  type AccountValue,
  type AdministratorAccount,
  type Authored,
  newGeneration,
  type ServiceAccount,
  withNewGeneration,
} from './account-entries.ts';
import type { AccountStore } from './account-store.ts';
import {
  type AdministratorChange,
  judgeChange,
  type UserRefusal,
  widensAdministrator,
} from './administrator-rights.ts';
import { type Author, authored } from './authors.ts';
import { untilWon } from './table-turns.ts';

/** Creates and changes accounts. Each method hashes passwords: it may throw QueueFull or HashingStopped. */
export interface Users {
  /** null: the name is taken, and not by an earlier attempt of the same approval. */
  createServiceUser(user: NewServiceUser, author?: Author): Promise<ServiceAccount | null>;
  createAdministrator(user: NewAdministrator, author?: Author): Promise<AdministratorAccount | null>;
  /** null: there is no such user. Every token of the user ends. */
  changeServiceUser(
    username: string,
    change: ServiceUserChange,
    author: Author,
  ): Promise<ServiceAccount | null>;
  /** Changes another administrator, or says why not; the rights are checked then (docs/decisions/0210). */
  changeAdministrator(
    username: string,
    change: AdministratorChange,
    author: Author,
  ): Promise<AdministratorAccount | UserRefusal>;
}

interface NewServiceUser {
  readonly username: string;
  readonly password: string;
  readonly operator: string;
  /** Brand paths; null: all brands of the operator. */
  readonly brands: readonly string[] | null;
  readonly rights?: readonly string[];
}

interface NewAdministrator {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly AdministratorRole[];
  readonly owners: readonly string[];
}

/** Absent members stay as they are. */
interface ServiceUserChange {
  readonly password?: string;
  readonly brands?: readonly string[];
  readonly rights?: readonly string[];
  readonly enabled?: boolean;
}

interface UserPorts {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly random: Random;
}

/** Users in the account store (docs/rules/http.md "Users"). */
export function createUsers({ accounts, passwords, clock, random }: UserPorts): Users {
  const hash = (password: string, by: string) => {
    const owners = accounts.find('administrator', by)?.owners ?? [];
    return passwords.hash(password, administratorTurn(by, owners));
  };
  const hashOf = async (password: string | undefined, by: string) =>
    password === undefined ? {} : { password_hash: await hash(password, by) };
  const nowMs = () => clock.nowMs();
  const begun = (author: Author | undefined) => ({
    enabled: true,
    generation: newGeneration(random),
    created: nowMs(),
    ...(author === undefined ? {} : authored({}, author, { nowMs: nowMs(), setsPassword: true })),
  });

  async function created<K extends 'administrator' | 'service'>(
    kind: K,
    account: AccountValue<K>,
    author: Author | undefined,
  ): Promise<AccountValue<K> | null> {
    const { username } = account;
    if (await accounts.create(kind, username, account)) return account;
    const present = await accounts.read(kind, username);
    return present !== null && isOfApproval(present.value, author) ? present.value : null;
  }

  return {
    async createServiceUser({ username, password, operator, brands, rights = [] }, author) {
      const account: ServiceAccount = {
        username,
        password_hash: await hash(password, author?.by ?? ''),
        operator_id: operator,
        brands: brands === null ? null : [...brands],
        rights: [...rights],
        ...begun(author),
      };
      return created('service', account, author);
    },
    async createAdministrator({ username, password, roles, owners }, author) {
      const account: AdministratorAccount = {
        username,
        password_hash: await hash(password, author?.by ?? ''),
        roles: [...roles],
        owners: [...owners],
        ...begun(author),
      };
      return created('administrator', account, author);
    },
    async changeServiceUser(username, change, author) {
      const hashed = await hashOf(change.password, author.by);
      const { brands, rights, enabled } = change;
      return accounts.update('service', username, async (current, revision) => {
        await author.check?.(current, revision);
        return {
          ...withNewGeneration(current, random),
          ...hashed,
          ...(brands === undefined ? {} : { brands: [...brands] }),
          ...(rights === undefined ? {} : { rights: [...rights] }),
          ...(enabled === undefined ? {} : { enabled }),
          ...(widensServiceUser(current, change) ? authoredBy(current, change, author) : {}),
        };
      });
    },
    async changeAdministrator(username, change, author) {
      const { by } = author;
      const hashed = await hashOf(change.password, by);
      return untilWon(async () => {
        const own = await accounts.read('administrator', by);
        const present = await accounts.read('administrator', username);
        const refusal = judgeChange(own?.value ?? null, present?.value ?? null, change);
        if (refusal !== null || own === null || present === null) return refusal ?? 'user_not_found';
        await author.check?.(present.value, present.revision);
        const { roles, owners, enabled, identity } = change;
        const { identity: before, ...others } = withNewGeneration(present.value, random);
        const after = identity === undefined ? before : identity;
        const changed: AdministratorAccount = {
          ...others,
          ...(after ? { identity: after } : {}),
          ...hashed,
          ...(roles === undefined ? {} : { roles: [...roles] }),
          ...(owners === undefined ? {} : { owners: [...owners] }),
          ...(enabled === undefined ? {} : { enabled }),
          ...(widensAdministrator(present.value, change) ? authoredBy(present.value, change, author) : {}),
        };
        // Two administrators may disable each other at once: the second writer finds both entries changed.
        if (!(await accounts.replace('administrator', by, own.value, own.revision))) return undefined;
        if (await accounts.replace('administrator', username, changed, present.revision)) return changed;
        return undefined;
      });
    },
  };

  function authoredBy(
    present: Authored,
    { password }: { readonly password?: string },
    author: Author,
  ): Authored {
    return authored(present, author, { nowMs: nowMs(), setsPassword: password !== undefined });
  }
}

/** Whether the account is as this approval has left it, or as others have changed it since. */
export function isOfApproval({ approved }: Authored, author: Author | undefined): boolean {
  return approved !== undefined && approved.id === author?.approval?.id;
}

/** Whether a change lets a service user do more, or lets in anyone who knows the new password. */
export function widensServiceUser(present: ServiceAccount, change: ServiceUserChange): boolean {
  const { password, brands = [], rights = [], enabled } = change;
  return (
    password !== undefined ||
    (enabled === true && !present.enabled) ||
    brands.some((brand) => present.brands !== null && !present.brands.includes(brand)) ||
    rights.some((right) => !(present.rights ?? []).includes(right))
  );
}
