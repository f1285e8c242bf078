import type { Clock, Random } from '../ports.ts';
import { type AdministratorAccount, newGeneration, type ServiceAccount } from './account-entries.ts';
import type { AccountStore } from './account-store.ts';
import { createLoginLimit } from './login-limit.ts';
import type { Passwords } from './password.ts';
import type { Renewable, TokenFault, Tokens } from './tokens.ts';

/** Issues tokens for a password or for a valid token. */
export interface Logins {
  loginService(credentials: Credentials): Promise<Login>;
  loginAdministrator(credentials: Credentials): Promise<Login>;
  renewService(token: string, address: string): Promise<Renewal>;
  renewAdministrator(token: string, address: string): Promise<Renewal>;
  changeAdministratorPassword(credentials: Credentials, newPassword: string): Promise<Login>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Network address of the caller: failures are counted by name and address. */
  readonly address: string;
}

export type Login =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'blocked'; readonly seconds: number };

/** A new token, or why the shown one cannot be renewed. */
export type Renewal =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'refused'; readonly fault: TokenFault };

export interface LoginOptions {
  readonly accounts: AccountStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly random: Random;
  /** Failed logins a minute for a pair of name and address. */
  readonly failedLoginsPerMinute?: number;
}

const failedLoginsPerMinute = 10;
const maxPairs = 100_000;

type Surface = 'service' | 'admin';

/**
 * Logins of service users and administrators (docs/rules/http.md "Callers"), by default at most ten failures a minute
 * for a pair of name and address. Methods that check a password throw QueueFull when too many wait.
 */
export function createLogins(options: LoginOptions): Logins {
  const { accounts, tokens, passwords, clock, random } = options;
  const limit = createLoginLimit(clock, {
    maxFailures: options.failedLoginsPerMinute ?? failedLoginsPerMinute,
    windowMs: 60_000,
    maxPairs,
  });

  async function login<A extends { readonly password_hash: string }>(
    surface: Surface,
    { username, password, address }: Credentials,
    account: A | undefined,
    succeed: (account: A) => Promise<string>,
  ): Promise<Login> {
    const begun = await limit.begin(pairOf(surface, username, address));
    if (typeof begun === 'number') return { kind: 'blocked', seconds: begun };
    const turn = { address, user: `${surface} ${username}`, proven: begun.proven };
    let right: boolean;
    try {
      right = await passwords.verify(account?.password_hash ?? null, password, turn);
    } catch (error) {
      begun.abandoned();
      throw error;
    }
    if (!right || account === undefined) {
      begun.failed();
      return { kind: 'invalid' };
    }
    begun.succeeded();
    return { kind: 'token', token: await succeed(account) };
  }

  async function renew<A extends { readonly username: string }>(
    surface: Surface,
    shown: Renewable<A> | TokenFault,
    address: string,
    issue: (account: A, renewed: Renewable<A>) => Promise<string>,
  ): Promise<Renewal> {
    if (typeof shown === 'string') return { kind: 'refused', fault: shown };
    limit.proved(pairOf(surface, shown.account.username, address));
    return { kind: 'token', token: await issue(shown.account, shown) };
  }

  /** A new generation ends all other tokens of the account. */
  async function replacePassword(account: AdministratorAccount, newPassword: string, address: string) {
    const turn = { address, user: account.username, proven: true };
    const changed: AdministratorAccount = {
      ...account,
      password_hash: await passwords.hash(newPassword, turn),
      generation: newGeneration(random),
    };
    await accounts.set('administrator', account.username, changed);
    return tokens.issueAdministrator(changed);
  }

  const administrator = (username: string) => accounts.find('administrator', username);
  return {
    loginService: (credentials) =>
      login<ServiceAccount>(
        'service',
        credentials,
        accounts.find('service', credentials.username),
        tokens.issueService,
      ),
    loginAdministrator: (credentials) =>
      login<AdministratorAccount>(
        'admin',
        credentials,
        administrator(credentials.username),
        tokens.issueAdministrator,
      ),
    renewService: async (token, address) =>
      renew('service', await tokens.renewableService(token), address, tokens.issueService),
    renewAdministrator: async (token, address) =>
      renew('admin', await tokens.renewableAdministrator(token), address, tokens.issueAdministrator),
    changeAdministratorPassword: (credentials, newPassword) =>
      login('admin', credentials, administrator(credentials.username), (account) =>
        replacePassword(account, newPassword, credentials.address),
      ),
  };
}

function pairOf(surface: Surface, username: string, address: string): string {
  return `${surface} ${address} ${username}`;
}
