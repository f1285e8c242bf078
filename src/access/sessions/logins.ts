import type { Clock, Random } from '../../ports.ts';
import {
  type AccountValue,
  type AdministratorAccount,
  withNewGeneration,
} from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { LastLogins, LoginKind } from '../accounts/last-logins.ts';
import type { Passwords } from '../passwords/password.ts';
import type { FactorProof } from '../rights/principal.ts';
import { createLoginLimit } from './login-limit.ts';
import type { LoginEvent, LoginNews } from './login-news.ts';
import type { Renewable, TokenFault, Tokens } from './tokens.ts';

/** Issues tokens for a password or for a valid token. */
export interface Logins {
  /** Hears no more of other gateways. */
  stopLogins(): void;
  /** O25. @throws QueueFull or HashingStopped, like every method that checks a password */
  loginService(credentials: LoginCredentials): Promise<Login>;
  /** POST /auth/admin */
  loginAdministrator(credentials: LoginCredentials): Promise<Login>;
  /** Exchanges a valid token for a new one, without a password. `address` as in Credentials. */
  renewService(token: string, address: string): Promise<Renewal>;
  /** `shown`: a code of the second factor, which the new token says. */
  renewAdministrator(token: string, address: string, shown?: FactorProof): Promise<Renewal>;
  /**
   * The log-in of the account that an operator's identity provider names, in place of a password.
   * `authenticated`: null where it names none; what it throws counts as no attempt.
   */
  loginByProvider(
    by: { readonly operator: string; readonly address: string },
    authenticated: () => Promise<AuthenticatedAccount | null>,
  ): Promise<Login>;
  /** Checks the password as a log-in does; null: it is right. */
  checkAdministrator(credentials: LoginCredentials): Promise<LoginRefusal | null>;
  /** Logs in with the old password, stores the new one and ends all tokens of the user. */
  changeServicePassword(credentials: LoginCredentials, newPassword: string): Promise<Login>;
  changeAdministratorPassword(credentials: LoginCredentials, newPassword: string): Promise<Login>;
}

interface LoginCredentials {
  readonly username: string;
  readonly password: string;
  /** Network address of the caller: failures are counted by name and address. */
  readonly address: string;
}

interface AuthenticatedAccount {
  readonly account: AdministratorAccount;
  /** The provider's settings of that moment. */
  readonly providerId: string;
}

export type Login = { readonly kind: 'token'; readonly token: string } | LoginRefusal;

export type LoginRefusal =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'blocked'; readonly seconds: number };

/** A new token, or why the shown one cannot be renewed. */
export type Renewal =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'refused'; readonly fault: TokenFault };

interface LoginOptions {
  readonly accounts: AccountStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly lastLogins: LastLogins;
  readonly clock: Clock;
  readonly random: Random;
  /** Failed logins a minute for a pair of name and address. */
  readonly failedLoginsPerMinute?: number;
  /** What other gateways tell; default: there are none. */
  readonly loginNews?: LoginNews;
}

const failedLoginsPerMinute = 10;
const maxPairs = 100_000;

/**
 * Logins of service users and administrators (docs/rules/http.md "Callers"), by default at most ten
 * failures a minute for a pair of name and address. Checking a password throws QueueFull when too many wait.
 */
export function createLogins(options: LoginOptions): Logins {
  const { accounts, tokens, passwords, lastLogins, clock, random, loginNews } = options;
  const limit = createLoginLimit(clock, {
    maxFailures: options.failedLoginsPerMinute ?? failedLoginsPerMinute,
    windowMs: 60_000,
    maxPairs,
  });
  const others = loginNews?.hear(({ kind, pair }) => {
    if (kind === 'failed') limit.failedElsewhere(pair);
    else limit.proved(pair);
  });
  const announce = (kind: LoginEvent['kind'], pair: string): void => loginNews?.announce({ kind, pair });

  async function checked<K extends LoginKind>(
    kind: K,
    { username, password, address }: LoginCredentials,
  ): Promise<{ readonly kind: 'right'; readonly account: AccountValue<K> } | LoginRefusal> {
    const pair = pairOf(kind, username, address);
    const begun = await limit.begin(pair);
    if (typeof begun === 'number') return { kind: 'blocked', seconds: begun };
    const account = accounts.find(kind, username);
    const turn = { address, user: `${kind} ${username}`, proven: begun.proven };
    let right: boolean;
    try {
      right = await passwords.verify(account?.password_hash ?? null, password, turn);
    } catch (error) {
      begun.abandoned();
      throw error;
    }
    // Who knows the password of a disabled account learns no more than anybody else.
    if (!right || account?.enabled !== true) {
      begun.failed();
      announce('failed', pair);
      return { kind: 'invalid' };
    }
    begun.succeeded();
    announce('proved', pair);
    return { kind: 'right', account };
  }

  async function login<K extends LoginKind>(
    kind: K,
    credentials: LoginCredentials,
    succeed: (account: AccountValue<K>) => Promise<string | null>,
  ): Promise<Login> {
    const result = await checked(kind, credentials);
    if (result.kind !== 'right') return result;
    const token = await succeed(result.account);
    if (token === null) return { kind: 'invalid' };
    lastLogins.record(kind, credentials.username);
    return { kind: 'token', token };
  }

  async function renew<A extends { readonly username: string }>(
    kind: LoginKind,
    shown: Renewable<A> | TokenFault,
    address: string,
    issue: (account: A, renewed: Renewable<A>) => Promise<string>,
  ): Promise<Renewal> {
    if (typeof shown === 'string') return { kind: 'refused', fault: shown };
    const pair = pairOf(kind, shown.account.username, address);
    limit.proved(pair);
    announce('proved', pair);
    return { kind: 'token', token: await issue(shown.account, shown) };
  }

  /** Ends all other tokens of the account; null: it changed since its password was checked. */
  async function replacePassword<K extends LoginKind>(
    kind: K,
    checked: AccountValue<K>,
    newPassword: string,
    address: string,
  ): Promise<AccountValue<K> | null> {
    const turn = { address, user: checked.username, proven: true };
    const password_hash = await passwords.hash(newPassword, turn);
    return accounts.update(kind, checked.username, (current) =>
      current.generation === checked.generation
        ? { ...withNewGeneration(current, random), password_hash }
        : null,
    );
  }

  async function changePassword<K extends LoginKind>(
    kind: K,
    credentials: LoginCredentials,
    newPassword: string,
    issue: (account: AccountValue<K>) => Promise<string>,
  ): Promise<Login> {
    return login(kind, credentials, async (account) => {
      const changed = await replacePassword(kind, account, newPassword, credentials.address);
      return changed === null ? null : issue(changed);
    });
  }

  return {
    stopLogins: () => others?.stop(),
    loginService: (credentials) => login('service', credentials, tokens.issueService),
    loginAdministrator: (credentials) => login('administrator', credentials, tokens.issueAdministrator),
    renewService: async (token, address) =>
      renew('service', await tokens.renewableService(token), address, tokens.issueService),
    renewAdministrator: async (token, address, shown) =>
      renew(
        'administrator',
        await tokens.renewableAdministrator(token),
        address,
        (account, { account: _, ...session }) =>
          tokens.issueAdministrator(account, { ...session, secondFactor: shown ?? session.secondFactor }),
      ),
    async loginByProvider({ operator, address }, authenticated) {
      // No user name has a colon.
      const pair = pairOf('administrator', `provider:${operator}`, address);
      const begun = await limit.begin(pair);
      if (typeof begun === 'number') return { kind: 'blocked', seconds: begun };
      let result: AuthenticatedAccount | null;
      try {
        result = await authenticated();
      } catch (error) {
        begun.abandoned();
        throw error;
      }
      if (result === null) {
        begun.failed();
        announce('failed', pair);
        return { kind: 'invalid' };
      }
      begun.succeeded();
      announce('proved', pair);
      const { account, providerId } = result;
      const provider = { operator_id: operator, id: providerId };
      const token = await tokens.issueAdministrator(account, { provider });
      lastLogins.record('administrator', account.username);
      return { kind: 'token', token };
    },
    async checkAdministrator(credentials) {
      const result = await checked('administrator', credentials);
      return result.kind === 'right' ? null : result;
    },
    changeServicePassword: (credentials, newPassword) =>
      changePassword('service', credentials, newPassword, tokens.issueService),
    changeAdministratorPassword: (credentials, newPassword) =>
      changePassword('administrator', credentials, newPassword, tokens.issueAdministrator),
  };
}

function pairOf(kind: LoginKind, username: string, address: string): string {
  return `${kind} ${address} ${username}`;
}
