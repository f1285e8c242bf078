import { Pool } from 'undici';
import { readTolerantly } from '../../../src/outbound/tolerant-parser.ts';
import type { WalletCallName } from '../../../src/wallet/client/brand-client.ts';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { readBounded } from './read-bounded.ts';
import type { Target } from './target.ts';

/** One request and what came of it. */
export interface Exchange {
  readonly call: WalletCallName;
  /** With the path of the base URL. */
  readonly path: string;
  readonly sent: string;
  /** null: there was no answer. */
  readonly status: number | null;
  readonly contentType: string;
  /** Where a redirect points to. */
  readonly location: string | null;
  readonly text: string;
  /** Why there was no answer, or not all of it. */
  readonly fault: string | null;
  readonly tookMs: number;
}

export interface Request {
  readonly call: WalletCallName;
  readonly path: string;
  /** Sent byte for byte. */
  readonly body: string;
  /** Instead of those that are right; null: left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** As many connections as the service opens for debits of a brand at most. */
const connections = 64;
const answerBytes = 64 * 1024;
const batchAnswerBytes = 1024 * 1024;

/**
 * Calls the wallet as the service does: keys, signature, time limit, size limit, and no redirect is followed.
 */
export class WalletClient {
  readonly #target: Target;
  readonly #basePath: string;
  readonly #pool: Pool;
  readonly #ended: Exchange[] = [];
  #opened = 0;

  constructor(target: Target) {
    const { origin, pathname } = new URL(target.url);
    this.#target = target;
    this.#basePath = pathname === '/' ? '' : pathname;
    this.#pool = new Pool(origin, { connections, pipelining: 1, connectTimeout: target.timeoutMs });
    readTolerantly(this.#pool);
    this.#pool.on('connect', () => {
      this.#opened += 1;
    });
  }

  /** All exchanges so far. */
  get ended(): readonly Exchange[] {
    return this.#ended;
  }

  get connectionsOpened(): number {
    return this.#opened;
  }

  async send(request: Request): Promise<Exchange> {
    const begunMs = performance.now();
    const answer = await this.#try(request);
    const { call, path, body } = request;
    const exchange = {
      call,
      path: `${this.#basePath}${path}`,
      sent: body,
      ...answer,
      tookMs: performance.now() - begunMs,
    };
    this.#ended.push(exchange);
    return exchange;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #try({ call, path, body, headers = {} }: Request): Promise<Answer> {
    const bytes = Buffer.from(body, 'utf8');
    try {
      const { timeoutMs } = this.#target;
      const response = await this.#pool.request({
        method: 'POST',
        path: `${this.#basePath}${path}`,
        headers: this.#headers(bytes, headers),
        body: bytes,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readBounded(response.body, call === 'W4' ? batchAnswerBytes : answerBytes);
      return {
        status: response.statusCode,
        contentType: String(response.headers['content-type'] ?? ''),
        location: response.headers.location === undefined ? null : String(response.headers.location),
        text: text ?? '',
        fault: text === null ? 'The answer is too long.' : null,
      };
    } catch (error) {
      const fault = faultOf(error, this.#target);
      return { status: null, contentType: '', location: null, text: '', fault };
    }
  }

  #headers(body: Uint8Array, changed: Readonly<Record<string, string | null>>): Record<string, string> {
    const { bearerKey, hmacSecret } = this.#target;
    const all: Record<string, string | null> = {
      authorization: `Bearer ${bearerKey}`,
      'x-server-authorization': serverAuthorization(hmacSecret, body),
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...changed,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    );
  }
}

type Answer = Pick<Exchange, 'status' | 'contentType' | 'location' | 'text' | 'fault'>;

/** What errors of connections mean for the person who wrote the URL. */
const plainWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this host and port.',
  ENOTFOUND: 'The name of the host does not resolve.',
  EAI_AGAIN: 'The name of the host does not resolve.',
  UND_ERR_CONNECT_TIMEOUT: 'The host does not answer.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The port does not speak TLS: the URL has https:// and the server speaks http.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'The port does not speak TLS: the URL has https:// and the server speaks http.',
  EPROTO: 'The port does not speak TLS: the URL has https:// and the server may speak http.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is of another host.',
};

function faultOf(error: unknown, { url, timeoutMs }: Target): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  const plain = plainWords[code ?? ''];
  if (plain !== undefined) return `There was no answer: ${plain}`;
  const isPlainHttp = url.startsWith('http:');
  if (isPlainHttp && /^(HPE_|UND_ERR_SOCKET|ECONNRESET)/.test(code ?? ''))
    return `There was no answer: ${code}, ${message}. If the server speaks TLS, the URL needs https://.`;
  if (name === 'TimeoutError') return `There was no answer within ${timeoutMs} ms.`;
  return `There was no answer: ${code ?? name ?? 'error'}, ${message ?? String(error)}.`;
}
