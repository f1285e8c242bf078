import type { Clock, Random, Table } from '../lib/ports.ts';
import type { AdministratorAccount, ServiceAccount } from './account-entries.ts';
import { type AccountStore, openAccountStore } from './account-store.ts';
import { createAttempts } from './attempts.ts';
import { type BrandWallets, createBrandWallets } from './brand-wallets.ts';
import { createPasswords } from './password.ts';
import type { Role, ServicePrincipal } from './principal.ts';
import { createRequestKeys, type RequestKeys } from './request-keys.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { openSealer } from './seal.ts';
import { createSignedRequests, type SignedRequests } from './signed-requests.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createTokens, type TokenFault, type Tokens } from './tokens.ts';
import { createWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts';

/** Accounts, logins and tokens: everything that turns a credential into a principal. */
export interface Access {
  readonly accounts: AccountStore;
  readonly tokens: Tokens;
  readonly jwks: SigningKeys['jwks'];
  readonly wallets: BrandWallets;
  readonly webhookSecrets: WebhookSecrets;
  readonly requestKeys: RequestKeys;
  /** null where the process has no table of nonces: then it takes no signed requests. */
  readonly signedRequests: SignedRequests | null;
  readonly revocations: Revocations;
  /** O25. @throws PasswordQueueFull, as loginAdministrator. */
  loginService(credentials: Credentials): Promise<Login>;
  /** POST /auth/admin */
  loginAdministrator(credentials: Credentials): Promise<Login>;
  /** null: the name is taken. */
  createServiceUser(user: NewServiceUser): Promise<ServiceAccount | null>;
  createAdministrator(user: NewAdministrator): Promise<AdministratorAccount | null>;
  stop(): Promise<void>;
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

export interface NewServiceUser {
  readonly username: string;
  readonly password: string;
  readonly operator: string;
  /** Brand paths; null: all brands of the operator. */
  readonly brands: readonly string[] | null;
}

export interface NewAdministrator {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly Role[];
  readonly owners: readonly string[];
}

export interface AccessOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** `<data>/keys` */
  readonly keysDirectory: string;
  /** KV NONCES, for roles that take signed requests. */
  readonly nonces?: Table;
  /** Failed logins a minute for a pair of name and address. */
  readonly failedLoginsPerMinute?: number;
}

const failedLoginsPerMinute = 10;
const countedNames = 100_000;

/** Resolves when all accounts have been read and a signing key is there. `table` is KV ACCOUNTS. */
export async function openAccess(table: Table, options: AccessOptions): Promise<Access> {
  const { clock, random } = options;
  const accounts = await openAccountStore(table);
  const sealer = openSealer(options.keysDirectory, random);
  const keys = await openSigningKeys(accounts, sealer, clock, random);
  const tokens = createTokens(accounts, keys, clock, random);
  const requestKeys = createRequestKeys(accounts, sealer, clock, random);
  const passwords = createPasswords();
  const failures = createAttempts(clock, {
    most: options.failedLoginsPerMinute ?? failedLoginsPerMinute,
    windowMs: 60_000,
    names: countedNames,
  });

  async function login<A extends { readonly password_hash: string }>(
    credentials: Credentials,
    surface: string,
    account: A | undefined,
    issue: (account: A) => Promise<string>,
  ): Promise<Login> {
    const pair = `${surface} ${credentials.address} ${credentials.username}`;
    const seconds = failures.blockedSeconds(pair);
    if (seconds > 0) return { kind: 'blocked', seconds };
    const right = await passwords.verify(account?.password_hash ?? null, credentials.password);
    if (right && account !== undefined) return { kind: 'token', token: await issue(account) };
    failures.count(pair);
    return { kind: 'invalid' };
  }

  return {
    accounts,
    tokens,
    jwks: keys.jwks,
    wallets: createBrandWallets(accounts, sealer),
    webhookSecrets: createWebhookSecrets(accounts, sealer),
    requestKeys,
    signedRequests:
      options.nonces === undefined ? null : createSignedRequests(requestKeys, options.nonces, clock),
    revocations: createRevocations(accounts, clock),
    loginService: (credentials) =>
      login(credentials, 'service', accounts.find('service', credentials.username), tokens.issueService),
    loginAdministrator: (credentials) =>
      login(
        credentials,
        'admin',
        accounts.find('administrator', credentials.username),
        tokens.issueAdministrator,
      ),
    async createServiceUser(user) {
      const account: ServiceAccount = {
        username: user.username,
        password_hash: await passwords.hash(user.password),
        operator_id: user.operator,
        brands: user.brands === null ? null : [...user.brands],
        generation: newGeneration(random),
        created: clock.nowMs(),
      };
      return (await accounts.create('service', user.username, account)) ? account : null;
    },
    async createAdministrator(user) {
      const account: AdministratorAccount = {
        username: user.username,
        password_hash: await passwords.hash(user.password),
        roles: [...user.roles],
        owners: [...user.owners],
        generation: newGeneration(random),
        created: clock.nowMs(),
      };
      return (await accounts.create('administrator', user.username, account)) ? account : null;
    },
    async stop() {
      keys.stop();
      await accounts.stop();
    },
  };
}

/** O22 and O4: the principal of a service JWT, for the fan-out; otherwise why it is none. */
export function verifyServiceToken(access: Access, token: string): Promise<ServicePrincipal | TokenFault> {
  return access.tokens.verifyService(token, 'feed');
}

function newGeneration(random: Random): string {
  return Buffer.from(random.bytes(9)).toString('base64url');
}
