import type { Clock, Random } from '../ports.ts';
import {
  type AdministratorAccount,
  newGeneration,
  type ServiceAccount,
  withNewGeneration,
} from './account-entries.ts';
import type { AccountStore } from './account-store.ts';
import { type AdministratorChange, judgeChange, type UserRefusal } from './administrator-rights.ts';
import { administratorTurn, type Passwords } from './password.ts';
import type { AdministratorPrincipal, Role } from './principal.ts';
import { untilWon } from './table-turns.ts';

/** Creates and changes accounts. Passwords are hashed, so each method may throw QueueFull or HashingStopped. */
export interface Users {
  /** null: the name is taken. `by` is the user name of the administrator who asks. */
  createServiceUser(user: NewServiceUser, by?: string): Promise<ServiceAccount | null>;
  createAdministrator(user: NewAdministrator, by?: string): Promise<AdministratorAccount | null>;
  /** null: there is no such user. Every token of the user ends. */
  changeServiceUser(username: string, change: ServiceUserChange, by: string): Promise<ServiceAccount | null>;
  /**
   * Changes another administrator, whose tokens end, or says why not. It holds only while the one who asks still has
   * the rights for it (docs/decisions/0210).
   */
  changeAdministrator(
    username: string,
    change: AdministratorChange,
    by: AdministratorPrincipal,
  ): Promise<AdministratorAccount | UserRefusal>;
}

export interface NewServiceUser {
  readonly username: string;
  readonly password: string;
  readonly operator: string;
  /** Brand paths; null: all brands of the operator. */
  readonly brands: readonly string[] | null;
  readonly rights?: readonly string[];
}

export interface NewAdministrator {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly Role[];
  readonly owners: readonly string[];
}

/** Absent members stay as they are. */
export interface ServiceUserChange {
  readonly password?: string;
  readonly brands?: readonly string[];
  readonly rights?: readonly string[];
  readonly enabled?: boolean;
}

export interface UserPorts {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly random: Random;
}

/** Users in the account store (docs/rules/http.md "Users"). */
export function createUsers({ accounts, passwords, clock, random }: UserPorts): Users {
  const hash = (password: string, by: string) => passwords.hash(password, administratorTurn(by));
  const hashOf = async (password: string | undefined, by: string) =>
    password === undefined ? {} : { password_hash: await hash(password, by) };
  const begun = () => ({ enabled: true, generation: newGeneration(random), created: clock.nowMs() });

  return {
    async createServiceUser({ username, password, operator, brands, rights = [] }, by = '') {
      const account: ServiceAccount = {
        username,
        password_hash: await hash(password, by),
        operator_id: operator,
        brands: brands === null ? null : [...brands],
        rights: [...rights],
        ...begun(),
      };
      return (await accounts.create('service', username, account)) ? account : null;
    },
    async createAdministrator({ username, password, roles, owners }, by = '') {
      const account: AdministratorAccount = {
        username,
        password_hash: await hash(password, by),
        roles: [...roles],
        owners: [...owners],
        ...begun(),
      };
      return (await accounts.create('administrator', username, account)) ? account : null;
    },
    async changeServiceUser(username, { password, brands, rights, enabled }, by) {
      const hashed = await hashOf(password, by);
      return accounts.update('service', username, (current) => ({
        ...withNewGeneration(current, random),
        ...hashed,
        ...(brands === undefined ? {} : { brands: [...brands] }),
        ...(rights === undefined ? {} : { rights: [...rights] }),
        ...(enabled === undefined ? {} : { enabled }),
      }));
    },
    async changeAdministrator(username, change, by) {
      const hashed = await hashOf(change.password, by.subject);
      return untilWon(async () => {
        const own = await accounts.read('administrator', by.subject);
        const present = await accounts.read('administrator', username);
        const refusal = judgeChange(own?.value ?? null, present?.value ?? null, change);
        if (refusal !== null || own === null || present === null) return refusal ?? 'user_not_found';
        const { roles, owners, enabled } = change;
        const changed: AdministratorAccount = {
          ...withNewGeneration(present.value, random),
          ...hashed,
          ...(roles === undefined ? {} : { roles: [...roles] }),
          ...(owners === undefined ? {} : { owners: [...owners] }),
          ...(enabled === undefined ? {} : { enabled }),
        };
        // Two administrators may disable each other at once. Whoever writes second finds both entries changed.
        if (!(await accounts.replace('administrator', by.subject, own.value, own.revision))) return undefined;
        if (await accounts.replace('administrator', username, changed, present.revision)) return changed;
        return undefined;
      });
    },
  };
}
