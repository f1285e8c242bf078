import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { IdentityProvider } from '../../access/keys/identity-providers.ts';
import type { ProviderAttempt } from '../../access/sessions/provider-attempts.ts';
import { parseEndpoint } from '../../network/endpoint.ts';
import {
  type AddressCheck,
  AddressNotAllowed,
  NameNotResolved,
  NoAnswer,
} from '../../outbound/checked-addresses.ts';
import { EndpointClient } from '../../outbound/endpoint-client.ts';
import type { Clock } from '../../ports.ts';

/** Operators' identity providers over HTTP (docs/decisions/0501). */
export interface ProviderClient {
  /** Why no log-in could succeed there, in words; null: one could. */
  fault(provider: IdentityProvider): Promise<string | null>;
  /** Where a browser goes to log in; null: the provider does not answer. */
  loginAddress(
    provider: IdentityProvider,
    redirectUri: string,
    attempt: ProviderAttempt,
  ): Promise<string | null>;
  /**
   * The subject that the provider vouches for to a browser which came back to this address; null: none.
   * @throws ProviderUnavailable
   */
  subject(provider: IdentityProvider, cameBackTo: URL, attempt: ProviderAttempt): Promise<string | null>;
}

/** The provider did not answer, so that nothing is known of the person. */
export class ProviderUnavailable extends Error {
  readonly code = 'provider_unavailable';
  readonly retryable = true;
}

/** Together they end before the request of the browser does. */
const limits = {
  connections: 1,
  restMs: 0,
  idleMs: 1_000,
  connectionLifeMs: 60_000,
  answerBytes: 256 * 1024,
};
const readTimeoutMs = 2_000;
const exchangeTimeoutMs = 3_000;
/** What a provider says of itself, and its keys with it, holds for so long; that it says nothing, so long. */
const keptMs = 10 * 60_000;
const failedMs = 5_000;
const troubleEveryMs = 60_000;
/** RFC 7519 and OpenID Connect Core 1.0 have no longer ones. */
const maxSubjectLength = 255;

interface Known {
  readonly id: string;
  readonly configuration: Promise<Configuration>;
  untilMs: number;
}

/** @param trouble reports why a log-in failed, by the library's code, once a minute for an operator */
export function createProviderClient(
  addresses: AddressCheck,
  clock: Clock,
  trouble: (operator: string, reason: string) => void,
): ProviderClient {
  const configurations = new Map<string, Known>();
  const troubledMs = new Map<string, number>();

  function note(operator: string, error: unknown): void {
    const nowMs = clock.elapsedMs();
    if (nowMs - (troubledMs.get(operator) ?? Number.NEGATIVE_INFINITY) < troubleEveryMs) return;
    troubledMs.set(operator, nowMs);
    trouble(operator, reasonOf(error));
  }

  /** One question at a time for a provider. */
  function configurationOf(provider: IdentityProvider): Promise<Configuration> {
    const { operator, id } = provider;
    const present = configurations.get(operator);
    if (present?.id === id && present.untilMs > clock.elapsedMs()) return present.configuration;
    const configuration = discovered(provider);
    const known: Known = { id, configuration, untilMs: clock.elapsedMs() + keptMs };
    configurations.set(operator, known);
    configuration.catch(() => {
      known.untilMs = clock.elapsedMs() + failedMs;
    });
    return configuration;
  }

  async function discovered({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Configuration> {
    const isPlain = issuer.startsWith('http:');
    const configuration = await discovery(new URL(issuer), clientId, {}, authenticationBy(clientSecret), {
      // Its address was read as one that may be called.
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      [customFetch]: checkedFetch(addresses),
    });
    const said = configuration.serverMetadata();
    // Also where one address stands for many issuers: any of them would be believed.
    if (said.issuer !== issuer) throw new NotUsable(`The provider says that its issuer is ${said.issuer}.`);
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (parseEndpoint(said[name] ?? '', addresses.development) === null)
        throw new NotUsable(`The provider names no ${name} that may be called.`);
    return configuration;
  }

  return {
    async fault(provider) {
      try {
        await discovered(provider);
        return null;
      } catch (error) {
        if (error instanceof NotUsable) return error.message;
        return `No OpenID provider answers at the issuer (${reasonOf(error)}).`;
      }
    },
    async loginAddress(provider, redirectUri, { state, nonce, verifier }) {
      try {
        const address = buildAuthorizationUrl(await configurationOf(provider), {
          redirect_uri: redirectUri,
          scope: 'openid',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
        return address.href;
      } catch (error) {
        note(provider.operator, error);
        return null;
      }
    },
    async subject(provider, cameBackTo, { state, nonce, verifier }) {
      try {
        const configuration = await configurationOf(provider);
        const tokens = await authorizationCodeGrant(configuration, cameBackTo, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        const isOurs = claims?.iss === provider.issuer && claims.sub.length <= maxSubjectLength;
        return isOurs ? claims.sub : null;
      } catch (error) {
        note(provider.operator, error);
        // The provider may have new keys.
        if (reasonOf(error) === 'OAUTH_KEY_SELECTION_FAILED') configurations.delete(provider.operator);
        if (causesOf(error).some(isUnavailable)) throw new ProviderUnavailable();
        return null;
      }
    },
  };
}

/** What a provider says of itself cannot be used. */
class NotUsable extends Error {}

/** Calls checked addresses alone, follows no redirect, and reads no more than `limits` says. */
function checkedFetch(addresses: AddressCheck): CustomFetch {
  return async (url, { method, headers, body }) => {
    const endpoint = parseEndpoint(url, addresses.development);
    if (endpoint === null) throw new AddressNotAllowed('The address may not be called.');
    const { pathname, search } = new URL(url);
    const client = new EndpointClient(endpoint.origin, { ...limits, exchangeTimeoutMs }, addresses);
    try {
      const path = `${pathname}${search}`;
      const answer =
        method === 'POST'
          ? await client.post({ path, headers, body: Buffer.from(String(body), 'utf8') })
          : await client.get({ path, headers, timeoutMs: readTimeoutMs });
      if (answer.text === null) throw new NoAnswer('The answer is too long.');
      if (answer.status >= 500) throw new NoAnswer(`The provider answers ${answer.status}.`);
      return new Response(answer.text === '' ? null : answer.text, {
        status: answer.status,
        headers: { 'content-type': 'application/json' },
      });
    } finally {
      await client.close();
    }
  };
}

/** In the header, as OpenID Connect has it by default, unless the provider takes it in the body alone. */
function authenticationBy(secret: string): ClientAuth {
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const inHeader = methods === undefined || methods.includes('client_secret_basic');
    const authenticate = inHeader ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    authenticate(server, client, body, headers);
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof NoAnswer || error instanceof NameNotResolved || error instanceof AddressNotAllowed;
}

/** The error, and what it was thrown because of. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) causes.push(each);
  return causes;
}

/** A word for the log: messages and causes of the library have what the provider answered. */
function reasonOf(error: unknown): string {
  for (const each of causesOf(error)) {
    const { error: answered, code } = each as { readonly error?: unknown; readonly code?: unknown };
    if (typeof answered === 'string') return answered.slice(0, 64);
    if (typeof code === 'string') return code;
  }
  return error instanceof NotUsable ? error.message : 'unknown';
}
