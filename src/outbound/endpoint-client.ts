import { errors } from 'undici';
import { crash } from '../lib/crash.ts';
import { type AddressCheck, AddressNotAllowed, NameNotResolved, NoAnswer } from './checked-addresses.ts';
import { Connections } from './connections.ts';
import { checkedConnector } from './connector.ts';
import { type EndpointAnswer, exchange } from './exchange.ts';

export interface EndpointLimits {
  /** Connections in use, and those that pause after an answer. */
  readonly connections: number;
  /** From an answer to the next request on its connection: a second answer is noticed meanwhile. */
  readonly restMs: number;
  /** From the first byte sent to the last one read, connecting included. */
  readonly exchangeTimeoutMs: number;
  /** An unused connection ends after this time. */
  readonly idleMs: number;
  /** A connection takes no more requests: for so long what was found of its address holds. */
  readonly connectionLifeMs: number;
  readonly answerBytes: number;
}

interface EndpointRequest {
  /** With the query, if there is one. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Less time than `exchangeTimeoutMs` for this request. */
  readonly timeoutMs?: number;
  /** Instead of the client's `answerBytes`. */
  readonly answerBytes?: number;
}

type Exchange = Omit<EndpointRequest, 'body'> & { readonly body: Uint8Array | null };

/**
 * The one way to call an address that an operator has given us. It connects to checked addresses only, and
 * has a limit for all that the other side decides.
 */
export class EndpointClient {
  readonly #origin: string;
  readonly #limits: EndpointLimits;
  readonly #check: AddressCheck;
  /** The last one takes requests; the others end with what they have under way. */
  readonly #pools = new Set<Connections>();
  #pool: Connections | null = null;
  #openedMs = 0;

  /** `origin`: `https://host[:port]`, or http to loopback. */
  constructor(origin: string, limits: EndpointLimits, check: AddressCheck) {
    this.#origin = origin;
    this.#limits = limits;
    this.#check = check;
  }

  /** @throws AddressNotAllowed, NameNotResolved, NoAnswer; anything else is a bug */
  post(request: EndpointRequest): Promise<EndpointAnswer> {
    return this.#call('POST', request);
  }

  /** As `post`. */
  get(request: Omit<EndpointRequest, 'body'>): Promise<EndpointAnswer> {
    return this.#call('GET', { ...request, body: null });
  }

  async #call(method: 'GET' | 'POST', { path, headers, body, ...own }: Exchange): Promise<EndpointAnswer> {
    const { exchangeTimeoutMs, answerBytes } = this.#limits;
    const limits = {
      timeoutMs: Math.min(own.timeoutMs ?? exchangeTimeoutMs, exchangeTimeoutMs),
      answerBytes: own.answerBytes ?? answerBytes,
    };
    try {
      const own = { ...headers, 'accept-encoding': 'identity' };
      return await exchange(this.#current(), { method, path, headers: own, body }, limits);
    } catch (error) {
      // The error holds what came, which must not be logged, and has no code.
      if (error instanceof errors.HTTPParserError) throw new NoAnswer('What came is no answer of HTTP.');
      throw isOutage(error) ? new NoAnswer(String(error), { cause: error }) : error;
    }
  }

  /** Cuts what is under way. */
  async close(): Promise<void> {
    const open = [...this.#pools];
    this.#pools.clear();
    this.#pool = null;
    await Promise.all(open.map((pool) => pool.destroy()));
  }

  /** Connections end with their pool, however busy they are: the next ones ask for the name again. */
  #current(): Connections {
    const nowMs = performance.now();
    if (this.#pool !== null && nowMs - this.#openedMs < this.#limits.connectionLifeMs) return this.#pool;
    if (this.#pool !== null) this.#retire(this.#pool);
    const { connections, idleMs, restMs, exchangeTimeoutMs } = this.#limits;
    this.#pool = new Connections(this.#origin, {
      maxConnections: connections,
      idleMs,
      restMs,
      connect: checkedConnector(this.#check, exchangeTimeoutMs),
    });
    this.#pools.add(this.#pool);
    this.#openedMs = nowMs;
    return this.#pool;
  }

  #retire(pool: Connections): void {
    pool
      .close()
      .then(() => this.#pools.delete(pool))
      .catch(crash);
  }
}

/** Codes of undici, among those of outages, for what we did wrong. */
const ownFaults = new Set([
  'ERR_ASSERTION',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_INVALID_RETURN_VALUE',
  'UND_ERR_NOT_SUPPORTED',
]);

/** Node and undici name what the network and the other side do with a code. */
function isOutage(error: unknown): boolean {
  if (error instanceof AddressNotAllowed || error instanceof NameNotResolved) return false;
  if (!(error instanceof Error) || error instanceof TypeError) return false;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && !ownFaults.has(code);
}
