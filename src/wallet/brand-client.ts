import {
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  retry,
  wrap,
} from 'cockatiel';
import { Pool } from 'undici';
import type { WalletSettings } from '../access/brand-wallets.ts';
import { judge, unknown, type WalletAnswer } from './answer.ts';
import { walletLimits } from './limits.ts';
import { serverAuthorization } from './signature.ts';

/** One call of W1–W5: its path below the base URL, and the body that every try sends byte for byte. */
export interface WalletCall {
  readonly name: 'W1';
  readonly path: string;
  readonly body: Uint8Array;
}

/** Told of every call once it is over, tries included. */
export type CallObserver = (name: WalletCall['name'], answer: WalletAnswer, tookMs: number) => void;

/** A brand's wallet over HTTP: connections, tries, breaker and bulkhead of its own. */
export class BrandClient {
  readonly settings: WalletSettings;
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #policy: IPolicy;
  readonly #observe: CallObserver;

  constructor(settings: WalletSettings, observe: CallObserver = () => {}) {
    this.settings = settings;
    this.#observe = observe;
    const { origin, pathname } = new URL(settings.baseUrl);
    this.#basePath = pathname === '/' ? '' : pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connections: walletLimits.connections,
      pipelining: 1,
      keepAliveTimeout: walletLimits.keepAliveMs,
      connect: { timeout: walletLimits.tryTimeoutMs },
    });
    this.#policy = policyOf();
  }

  /** Up to three tries while the answer is unknown. For calls that may be repeated: all of W1–W5 have an identity. */
  async call(call: WalletCall): Promise<WalletAnswer> {
    const begunMs = performance.now();
    const answer = await this.#tries(call);
    this.#observe(call.name, answer, performance.now() - begunMs);
    return answer;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #tries(call: WalletCall): Promise<WalletAnswer> {
    try {
      return await this.#policy.execute(() => this.#once(call));
    } catch (error) {
      if (isBrokenCircuitError(error)) return unknown('breaker_open');
      if (isBulkheadRejectedError(error)) return unknown('too_many_calls');
      throw error;
    }
  }

  async #once({ path, body }: WalletCall): Promise<WalletAnswer> {
    const { bearerKey, hmacSecret } = this.settings;
    try {
      const response = await this.#pool.request({
        method: 'POST',
        path: `${this.#basePath}${path}`,
        headers: {
          authorization: `Bearer ${bearerKey}`,
          'x-server-authorization': serverAuthorization(hmacSecret, body),
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body,
        signal: AbortSignal.timeout(walletLimits.tryTimeoutMs),
      });
      const text = await readBounded(response.body);
      return text === null ? unknown('oversize') : judge(response.statusCode, text);
    } catch {
      return unknown('no_answer');
    }
  }
}

/** null: longer than an answer of a wallet ever is. Leaving the loop destroys the stream. */
async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > walletLimits.answerBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function policyOf(): IPolicy {
  const isUnknown = handleWhenResult((answer) => (answer as WalletAnswer).kind === 'unknown');
  return wrap(
    bulkhead(walletLimits.callsAtOnce, walletLimits.callsWaiting),
    retry(isUnknown, {
      maxAttempts: walletLimits.tries - 1,
      backoff: new ExponentialBackoff({
        initialDelay: walletLimits.firstPauseMs,
        maxDelay: walletLimits.longestPauseMs,
      }),
    }),
    circuitBreaker(isUnknown, {
      halfOpenAfter: walletLimits.halfOpenAfterMs,
      breaker: new ConsecutiveBreaker(walletLimits.failuresToOpen),
    }),
  );
}
