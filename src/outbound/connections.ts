import { type buildConnector, Client } from 'undici';
import { readTolerantly } from './tolerant-parser.ts';

interface ConnectionsOptions {
  /** More requests wait for one of them. */
  readonly maxConnections: number;
  /** An unused connection ends after this time. */
  readonly idleMs: number;
  /** From an answer to the next request on its connection. */
  readonly restMs: number;
  readonly connect: buildConnector.connector;
}

interface Resting {
  readonly client: Client;
  readonly readyMs: number;
}

/**
 * Connections to one origin, each with one request at a time. After an answer a connection pauses
 * (docs/decisions/0318): undici ends it if bytes come that answer no request, which would otherwise confirm
 * the next payment. For the same reason a used connection sends nothing before what has come meanwhile was
 * read.
 */
export class Connections {
  readonly #origin: string;
  readonly #options: ConnectionsOptions;
  /** In the order of their answers. */
  readonly #resting: Resting[] = [];
  /** The last one is taken first, so that those that are not needed end. */
  readonly #rested: Client[] = [];
  readonly #all = new Set<Client>();
  readonly #waiting: ((client: Client) => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #ended = () => {};

  constructor(origin: string, options: ConnectionsOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  /** Calls `take` with a connection that has no other user until `release`. */
  request(take: (client: Client) => void): void {
    this.#wake();
    const rested = this.#rested.pop();
    if (rested !== undefined) takeOnceRead(take, rested);
    else if (this.#all.size < this.#options.maxConnections) take(this.#open());
    else this.#waiting.push(take);
  }

  release(client: Client): void {
    if (this.#isClosed) {
      this.#end(client);
      return;
    }
    this.#resting.push({ client, readyMs: performance.now() + this.#options.restMs });
    this.#serveSoon();
  }

  /** Connections end as soon as they are unused; resolves when the last one has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const idle = [...this.#rested.splice(0), ...this.#resting.splice(0).map(({ client }) => client)];
    for (const client of idle) this.#end(client);
    // Requests that wait get one that ends after them.
    for (const take of this.#waiting.splice(0)) take(this.#open());
    if (this.#all.size > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
  }

  /** Cuts what is under way. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    const waiting = this.#waiting.splice(0);
    const unused = waiting.map(() => this.#open());
    await Promise.all([...this.#all].map((client) => client.destroy()));
    // They are told that it was cut.
    waiting.forEach((take, index) => void take(unused[index]!));
    await this.close();
  }

  #open(): Client {
    const { idleMs, connect } = this.#options;
    const client = new Client(this.#origin, {
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      connect,
    });
    readTolerantly(client);
    this.#all.add(client);
    return client;
  }

  /** Those that have rested long enough. */
  #wake(): void {
    const nowMs = performance.now();
    let count = 0;
    for (const { client, readyMs } of this.#resting) {
      if (readyMs > nowMs) break;
      this.#rested.push(client);
      count += 1;
    }
    if (count > 0) this.#resting.splice(0, count);
  }

  #serveSoon(): void {
    const next = this.#resting[0];
    if (this.#waiting.length === 0 || this.#timer !== null || next === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#wake();
        while (this.#waiting.length > 0 && this.#rested.length > 0)
          takeOnceRead(this.#waiting.shift()!, this.#rested.pop()!);
        this.#serveSoon();
      },
      Math.max(1, next.readyMs - performance.now()),
    );
  }

  #end(client: Client): void {
    client
      .close()
      // The connection was cut.
      .catch(() => {})
      .finally(() => {
        this.#all.delete(client);
        if (this.#isClosed && this.#all.size === 0) this.#ended();
      });
  }
}

/** Immediates come after the reading of all sockets. */
function takeOnceRead(take: (client: Client) => void, client: Client): void {
  setImmediate(take, client);
}
