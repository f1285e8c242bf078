import type { Clock, Random, Table } from '../ports.ts';
import { type AccountStore, openAccountStore } from './accounts/account-store.ts';
import { createIdentities, type Identities } from './accounts/identities.ts';
import { createLastLogins, type LastLogins } from './accounts/last-logins.ts';
import { type SortedUsers, sortUsers } from './accounts/sorted-users.ts';
import { createUsers, type Users } from './accounts/users.ts';
import { type Approvals, openApprovals } from './approvals.ts';
import {
  type BrandWallets,
  createBrandWallets,
  createKnownWallets,
  type KnownWallets,
} from './keys/brand-wallets.ts';
import { createFeedTickets, type FeedTickets } from './keys/feed-tickets.ts';
import { createIdentityProviders, type IdentityProviders } from './keys/identity-providers.ts';
import { createRequestKeys, type RequestKeys } from './keys/request-keys.ts';
import { openSealerOf } from './keys/required-key.ts';
import { createSignedRequests, type SignedRequests } from './keys/signed-requests.ts';
import { openSigningKeys, type SigningKeys, verifyingKeys } from './keys/signing-keys.ts';
import { createWebhookSecrets, type WebhookSecrets } from './keys/webhook-secrets.ts';
import { createPasswords } from './passwords/password.ts';
import type { ServicePrincipal } from './rights/principal.ts';
import type { LoginNews } from './sessions/login-news.ts';
import { createLogins, type Logins } from './sessions/logins.ts';
import { createProviderAttempts, type ProviderAttempts } from './sessions/provider-attempts.ts';
import { createRevocations, type Revocations } from './sessions/revocations.ts';
import { createSecondFactors, type SecondFactors } from './sessions/second-factors.ts';
import { createTokens, type TokenFault, type Tokens } from './sessions/tokens.ts';

/** Accounts, logins and tokens: everything that turns a credential into a principal. */
export interface Access extends Logins, Users {
  readonly accounts: AccountStore;
  readonly tokens: Tokens;
  readonly jwks: SigningKeys['jwks'];
  readonly wallets: BrandWallets;
  readonly webhookSecrets: WebhookSecrets;
  readonly requestKeys: RequestKeys;
  /** null in a process without the table of approvals. */
  readonly approvals: Approvals | null;
  /** null in a process without the table of tickets. */
  readonly feedTickets: FeedTickets | null;
  /** null in a process without the table of nonces: it takes no signed requests. */
  readonly signedRequests: SignedRequests | null;
  readonly identityProviders: IdentityProviders;
  readonly identities: Identities;
  /** null as `signedRequests`: it takes no log-ins by a provider. */
  readonly providerAttempts: ProviderAttempts | null;
  readonly revocations: Revocations;
  readonly secondFactors: SecondFactors;
  readonly lastLogins: LastLogins;
  readonly sortedUsers: SortedUsers;
  stop(): Promise<void>;
}

interface AccessOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** `<data>/keys` */
  readonly keysDirectory: string;
  /** Allows a new seal key in place of a missing one. Everything sealed under the old key is then lost. */
  readonly newKeys?: boolean;
  /** KV NONCES, for roles that take signed requests and log-ins. */
  readonly nonces?: Table;
  /** KV TICKETS, for roles that issue and redeem tickets of feeds. */
  readonly tickets?: Table;
  /** KV APPROVALS, for roles that take changes of administrators. */
  readonly approvals?: Table;
  /** Failed logins a minute for a pair of name and address. */
  readonly failedLoginsPerMinute?: number;
  /** How long the hash of a password may take. */
  readonly hashingMs?: number;
  /** Gateways of this machine, which check together as many unproven callers' passwords as one; default 1. */
  readonly gateways?: number;
  /** What other gateways tell of log-ins; default: there are none. */
  readonly loginNews?: LoginNews;
}

/** Opens accounts, logins and tokens from KV ACCOUNTS. @throws SealKeyError; LogError on outages */
export async function openAccess(table: Table, options: AccessOptions): Promise<Access> {
  const { clock, random } = options;
  const accounts = await openAccountStore(table);
  const sealer = openSealerOf(accounts, options);
  const keys = await openSigningKeys(accounts, sealer, clock, random);
  const tokens = createTokens(accounts, keys, clock, random);
  const requestKeys = createRequestKeys(accounts, sealer, clock, random);
  const passwords = createPasswords(clock, options.hashingMs, options.gateways);
  const approvals =
    options.approvals === undefined ? null : await openApprovals(options.approvals, { sealer, clock });
  const lastLogins = createLastLogins(accounts, clock);
  const logins = createLogins({ ...options, accounts, tokens, passwords, lastLogins });
  return {
    accounts,
    tokens,
    jwks: keys.jwks,
    wallets: createBrandWallets(accounts, sealer),
    webhookSecrets: createWebhookSecrets(accounts, sealer),
    requestKeys,
    approvals,
    feedTickets:
      options.tickets === undefined
        ? null
        : createFeedTickets({ sealer, table: options.tickets, clock, random }),
    signedRequests:
      options.nonces === undefined ? null : createSignedRequests(requestKeys, options.nonces, clock),
    identityProviders: createIdentityProviders(accounts, sealer),
    identities: createIdentities(accounts, clock),
    providerAttempts:
      options.nonces === undefined
        ? null
        : createProviderAttempts({ sealer, nonces: options.nonces, clock, random }),
    revocations: createRevocations(accounts, clock),
    secondFactors: createSecondFactors(accounts, { sealer, clock, random }),
    lastLogins,
    sortedUsers: sortUsers(accounts, lastLogins),
    ...logins,
    ...createUsers({ accounts, passwords, clock, random }),
    async stop() {
      keys.stop();
      logins.stopLogins();
      await passwords.stop();
      await approvals?.stop();
      await accounts.stop();
    },
  };
}

/** Accounts for the fan-out: it opens no seal and signs nothing, so it needs no key. */
export interface TokenVerifier {
  readonly accounts: Pick<AccountStore, 'onChange' | 'find'>;
  readonly tokens: Pick<Tokens, 'knownService' | 'verifyService'>;
  /** Which brands have a wallet, without its settings. */
  readonly wallets: KnownWallets;
  stop(): Promise<void>;
}

/** Follows the accounts of KV ACCOUNTS in order to verify tokens. @throws LogError on outages */
export async function openTokenVerifier(
  table: Table,
  ports: { readonly clock: Clock; readonly random: Random },
): Promise<TokenVerifier> {
  const accounts = await openAccountStore(table);
  const tokens = createTokens(accounts, verifyingKeys(accounts), ports.clock, ports.random);
  return { accounts, tokens, wallets: createKnownWallets(accounts), stop: () => accounts.stop() };
}

/** The principal of a service JWT that opens a feed (O22, O4), or why the token is refused. */
export function verifyServiceToken(
  access: Pick<TokenVerifier, 'tokens'>,
  token: string,
): Promise<ServicePrincipal | TokenFault> {
  return access.tokens.verifyService(token, 'feed');
}
