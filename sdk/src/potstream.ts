import { type Api, createApi } from './api.ts';
import { type Contributions, createContributions } from './contributions.ts';
import { defaultRetryLimits, type Pace, type RetryLimits, realPace } from './retry.ts';
import type { SigningKey } from './signing.ts';
import { createTokens, type Password } from './tokens.ts';
import type { Authentication } from './transport.ts';

export interface PotstreamOptions {
  /** Such as `https://potstream.example`. */
  readonly baseUrl: string;
  /** A service user's name and password, or one of its keys: requests are then signed, and carry no token. */
  readonly credentials: Password | SigningKey;
  /** Of contributions; `attemptTimeoutMs` of all requests. */
  readonly retry?: Partial<RetryLimits>;
  /** In place of Node's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Potstream for one service user. Create it once: its log-in serves all requests. */
export interface Potstream extends Contributions {
  /** All other operations. */
  readonly api: Api;
  /** A valid token, for the feeds. Only with a password. @throws PotstreamError */
  token(): Promise<string>;
}

export function createPotstream(options: PotstreamOptions): Potstream {
  return assemble(options, realPace);
}

export function assemble(options: PotstreamOptions, pace: Pace): Potstream {
  const { credentials, fetch: send = fetch } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const authentication: Authentication =
    'username' in credentials
      ? { tokens: createTokens(baseUrl, credentials, send, pace) }
      : { key: credentials };
  const limits = { ...defaultRetryLimits, ...options.retry };
  const api = createApi(baseUrl, authentication, send, limits.attemptTimeoutMs);
  const contributions = createContributions(api, limits, pace);
  return {
    ...contributions,
    api,
    async token() {
      if ('key' in authentication)
        throw new TypeError('Signed requests need no token. Log in with a password to get one.');
      return authentication.tokens.current();
    },
  };
}
