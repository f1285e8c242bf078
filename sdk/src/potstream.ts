import { type Api, createApi } from './api.ts';
import { type Contributions, createContributions } from './contributions.ts';
import { defaultRetryLimits, type Pace, type RetryLimits, realPace } from './retry.ts';
import type { SigningKey } from './signing.ts';
import { type StreamInput, streamContributions } from './stream-contributions.ts';
import { defaultStreamLimits, type StreamOptions, type StreamResult } from './stream-types.ts';
import { createTokens, type Password, type Tokens } from './tokens.ts';
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
  /**
   * Sends contributions over one connection after another, and yields exactly one result for each, in the order of completion
   * (docs/rules/streams.md "The end"). Nothing begins before the first result is asked for. Only with a password.
   * @throws StreamError and what the input throws, both after every result that is there
   */
  streamContributions<Ref>(
    contributions: StreamInput<Ref>,
    options?: StreamOptions,
  ): AsyncGenerator<StreamResult<Ref>, void, undefined>;
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
    streamContributions(input, { limits: changed, signal, agent, onInterrupted = () => {} } = {}) {
      const streamLimits = { ...defaultStreamLimits, ...changed };
      const { openTimeoutMs } = streamLimits;
      const url = new URL(`${baseUrl}/v2/jackpot/contributions/stream`);
      const target = { url, agent, openTimeoutMs };
      const tokens = tokensOf(authentication);
      const settings = { target, tokens, limits: streamLimits, retry: limits, pace, onInterrupted };
      return streamContributions(input, settings, signal);
    },
    token: async () => tokensOf(authentication).current(),
  };
}

function tokensOf(authentication: Authentication): Tokens {
  if ('tokens' in authentication) return authentication.tokens;
  throw new TypeError('Signed requests have no token. Log in with a password to get one.');
}
