import { type buildConnector, Client } from 'undici';
import { readTolerantly } from './tolerant-parser.ts';

interface ConnectionsOptions {
  /** More requests wait for one of them. */
  readonly maxConnections: number;
  /** A connection that nobody uses ends. */
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
 * Connections to one origin, each with one request at a time. After an answer a connection rests (docs/decisions/0318): a peer
 * that answers twice, or later than it said, is found out meanwhile, because undici ends a connection with bytes that nobody
 * asked for. Taken for the next answer, they would confirm a payment that never happened. For the same reason nothing is sent on
 * a used connection before what has come meanwhile was read: this process may have been busy for longer than the rest.
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

  /** Calls `take` with a connection that is nobody else's until `release`. As many wait as callers let through at a time. */
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

  /** Connections end as soon as nobody uses them; resolves when the last one has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const idle = [...this.#rested.splice(0), ...this.#resting.splice(0).map(({ client }) => client)];
    for (const client of idle) this.#end(client);
    // Those who wait get one that ends behind them.
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
      // It was cut.
      .catch(() => {})
      .finally(() => {
        this.#all.delete(client);
        if (this.#isClosed && this.#all.size === 0) this.#ended();
      });
  }
}

/** Immediates come behind the reading of all sockets. */
function takeOnceRead(take: (client: Client) => void, client: Client): void {
  setImmediate(take, client);
}
