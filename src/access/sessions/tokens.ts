import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { z } from 'zod';
import type { Clock, Random } from '../../ports.ts';
import type { AccountValue, AdministratorAccount, ServiceAccount } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import {
  administratorClaims,
  serviceClaims,
  sessionLifetimeSeconds,
  type TokenAudience,
  type TokenClaims,
  tokenAlgorithm,
  tokenIssuer,
  tokenLifetimeSeconds,
  tokenType,
} from '../rights/claims.ts';
import type { AdministratorPrincipal, FactorProof, ServicePrincipal } from '../rights/principal.ts';
import { isRevoked } from './revocations.ts';
import { TokenCache } from './token-cache.ts';

export type TokenFault = 'unauthenticated' | 'token_expired' | 'token_revoked';
/** A principal, or why the token is refused. */
export type Verified<P> = P | TokenFault;

/** A session across renewals: `sid` and `auth_time` of its tokens. */
interface Session {
  readonly id: string;
  readonly authenticatedAtSeconds: number;
  readonly secondFactor?: FactorProof | undefined;
  readonly provider?: TokenProvider | undefined;
}

/** The identity provider at which a session began, and which of its settings held then. */
interface TokenProvider {
  readonly operator_id: string;
  readonly id: string;
}

/** A token that may be renewed. */
export interface Renewable<A> extends Session {
  readonly account: A;
}

/** Issues and verifies tokens. Caches a verified token until it expires. */
export interface Tokens {
  /** Without an id of a session the token begins a new one. */
  issueService(account: ServiceAccount, session?: Session): Promise<string>;
  /** A service token that opens feeds and nothing else. */
  issueFeed(account: ServiceAccount): Promise<string>;
  issueAdministrator(account: AdministratorAccount, session?: Partial<Session>): Promise<string>;
  /** The current account and the session of a token that may be renewed, or why it may not. */
  renewableService(token: string): Promise<Renewable<ServiceAccount> | TokenFault>;
  renewableAdministrator(token: string): Promise<Renewable<AdministratorAccount> | TokenFault>;
  /** The cached principal, without a promise; undefined: verify the token. */
  knownService(token: string, audience: 'operator' | 'feed'): ServicePrincipal | undefined;
  verifyService(token: string, audience: 'operator' | 'feed'): Promise<Verified<ServicePrincipal>>;
  verifyAdministrator(token: string): Promise<Verified<AdministratorPrincipal>>;
}

const maxTokenLength = 4_096;
/** How far the clock of the issuing host may be ahead of ours. */
const skewSeconds = 5;

/** JWTs signed with EdDSA (docs/rules/http.md "Callers"); the cache forgets those of a changed account. */
export function createTokens(
  accounts: AccountStore,
  keys: Pick<SigningKeys, 'signer' | 'verifier'>,
  clock: Clock,
  random: Random,
): Tokens {
  const services = {
    operator: new TokenCache<ServicePrincipal>(clock),
    feed: new TokenCache<ServicePrincipal>(clock),
  };
  const administrators = new TokenCache<AdministratorPrincipal>(clock);
  accounts.onChange((kind, name) => {
    switch (kind) {
      case 'service':
        services.operator.forgetOf(name);
        services.feed.forgetOf(name);
        return;
      case 'administrator':
        administrators.forgetOf(name);
        return;
      case 'provider':
        administrators.clear();
        return;
      case 'key':
      case 'revocation':
        // Any token may be signed with the key; a revocation names a token or a session.
        services.operator.clear();
        services.feed.clear();
        administrators.clear();
    }
  });

  function issue(
    subject: string,
    audience: TokenAudience | TokenAudience[],
    claims: Record<string, unknown>,
    session: Partial<Session> = {},
  ) {
    const { kid, key } = keys.signer();
    const nowSeconds = Math.floor(clock.nowMs() / 1000);
    const id = Buffer.from(random.bytes(16)).toString('base64url');
    const { id: sid = id, authenticatedAtSeconds = nowSeconds } = session;
    return new SignJWT({ ...claims, sid, auth_time: authenticatedAtSeconds })
      .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid })
      .setIssuer(tokenIssuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(id)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + tokenLifetimeSeconds)
      .sign(key);
  }

  async function claimsOf(token: string, audience: TokenAudience): Promise<unknown | TokenFault> {
    if (token.length > maxTokenLength || !isCanonical(token)) return 'unauthenticated';
    try {
      const { payload } = await jwtVerify(token, (header) => verifierOf(keys, header.kid), {
        algorithms: [tokenAlgorithm],
        issuer: tokenIssuer,
        audience,
        typ: tokenType,
        requiredClaims: ['iss', 'aud', 'exp', 'iat', 'sub', 'jti'],
        maxTokenAge: tokenLifetimeSeconds,
        clockTolerance: skewSeconds,
        currentDate: new Date(clock.nowMs()),
      });
      // The tolerance is for the beginning only: no token outlives its `exp`.
      return (payload.exp as number) * 1000 <= clock.nowMs() ? 'token_expired' : payload;
    } catch (error) {
      if (!(error instanceof joseErrors.JOSEError)) throw error;
      return error instanceof joseErrors.JWTExpired ? 'token_expired' : 'unauthenticated';
    }
  }

  /** The claims of a valid token: signed by us, of an existing account, not revoked. */
  async function goodClaims<C extends TokenClaims>(
    token: string,
    audience: TokenAudience,
    shape: z.ZodType<C>,
  ): Promise<C | TokenFault> {
    const claims = await claimsOf(token, audience);
    if (typeof claims === 'string') return claims as TokenFault;
    const parsed = shape.safeParse(claims);
    if (!parsed.success) return 'unauthenticated';
    const { sub, generation, jti, sid = jti } = parsed.data;
    const account = accounts.find(audience === 'admin' ? 'administrator' : 'service', sub);
    const provider = providerOf(parsed.data);
    const isOver =
      account?.generation !== generation ||
      isRevoked(accounts, jti) ||
      isRevoked(accounts, sid) ||
      (provider !== undefined && accounts.find('provider', provider.operator_id)?.id !== provider.id);
    return isOver || !account.enabled ? 'token_revoked' : parsed.data;
  }

  async function verifyService(
    token: string,
    audience: 'operator' | 'feed',
  ): Promise<Verified<ServicePrincipal>> {
    const claims = await goodClaims(token, audience, serviceClaims);
    if (typeof claims === 'string') return claims;
    const { sub, operator_id, brands, rights, jti, exp } = claims;
    return {
      kind: 'service',
      subject: sub,
      operator: operator_id,
      brands: brands === null ? null : new Set(brands),
      ...(rights === undefined ? {} : { rights: new Set(rights) }),
      tokenId: jti,
      expiresAtMs: exp * 1000,
    };
  }

  async function verifyAdministrator(token: string): Promise<Verified<AdministratorPrincipal>> {
    const claims = await goodClaims(token, 'admin', administratorClaims);
    if (typeof claims === 'string') return claims;
    const { sub, roles, owners, jti, iat, exp, sid = jti, auth_time: authenticatedAtSeconds = iat } = claims;
    const secondFactor = proofOf(claims);
    const { provider } = claims;
    return {
      kind: 'administrator',
      subject: sub,
      roles: new Set(roles),
      owners: new Set(owners),
      tokenId: jti,
      expiresAtMs: exp * 1000,
      session: { id: sid, endsMs: (authenticatedAtSeconds + sessionLifetimeSeconds) * 1000 },
      ...(secondFactor === undefined ? {} : { secondFactor }),
      ...(provider === undefined ? {} : { provider: provider.operator_id }),
    };
  }

  async function renewable<K extends 'service' | 'administrator'>(
    kind: K,
    claims: TokenClaims | TokenFault,
  ): Promise<Renewable<AccountValue<K>> | TokenFault> {
    if (typeof claims === 'string') return claims;
    const { sub, jti, iat, sid = jti, auth_time: authenticatedAtSeconds = iat } = claims;
    const account = accounts.find(kind, sub);
    if (account === undefined) return 'token_revoked';
    if (clock.nowMs() / 1000 >= authenticatedAtSeconds + sessionLifetimeSeconds) return 'token_expired';
    const shown = { secondFactor: proofOf(claims), provider: providerOf(claims) };
    return { account, id: sid, authenticatedAtSeconds, ...shown };
  }

  return {
    issueService: (account, session) =>
      issue(account.username, ['operator', 'feed'], claimsOfService(account), session),
    issueFeed: (account) => issue(account.username, 'feed', claimsOfService(account)),
    issueAdministrator: (account, session) =>
      issue(account.username, 'admin', claimsOfAdministrator(account, session), session),
    renewableService: async (token) =>
      renewable('service', await goodClaims(token, 'operator', serviceClaims)),
    renewableAdministrator: async (token) =>
      renewable('administrator', await goodClaims(token, 'admin', administratorClaims)),
    knownService: (token, audience) => services[audience].get(token),
    async verifyService(token, audience) {
      const known = services[audience];
      return known.get(token) ?? remember(known, token, await verifyService(token, audience));
    },
    async verifyAdministrator(token) {
      return administrators.get(token) ?? remember(administrators, token, await verifyAdministrator(token));
    },
  };
}

/** Whether the token has its only valid spelling: jose ignores the unused last bits of base64url. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function claimsOfService(account: ServiceAccount) {
  const { operator_id, brands, rights = [], generation } = account;
  return { operator_id, brands, ...(rights.length === 0 ? {} : { rights }), generation };
}

function claimsOfAdministrator(
  { roles, owners, generation }: AdministratorAccount,
  { secondFactor, provider }: Partial<Session> = {},
) {
  const shown = secondFactor && { second_factor: { id: secondFactor.id, at: secondFactor.atMs / 1000 } };
  return { roles, owners, generation, ...shown, ...(provider && { provider }) };
}

function proofOf(claims: TokenClaims): FactorProof | undefined {
  const { second_factor: shown } = claims as z.output<typeof administratorClaims>;
  return shown === undefined ? undefined : { id: shown.id, atMs: shown.at * 1000 };
}

function providerOf(claims: TokenClaims): TokenProvider | undefined {
  return (claims as z.output<typeof administratorClaims>).provider;
}

function verifierOf(keys: Pick<SigningKeys, 'verifier'>, kid: string | undefined) {
  const key = kid === undefined ? undefined : keys.verifier(kid);
  if (key === undefined) throw new joseErrors.JWKSNoMatchingKey();
  return key;
}

function remember<P extends ServicePrincipal | AdministratorPrincipal>(
  known: TokenCache<P>,
  token: string,
  verified: Verified<P>,
): Verified<P> {
  if (typeof verified !== 'string') known.set(token, verified);
  return verified;
}
