import { crash } from '../../lib/crash.ts';
import { LogError } from '../../ports.ts';
import { tableStream } from '../names.ts';
import { askServer } from './api.ts';
import type { LogConnection } from './connection.ts';
import { Requester } from './requester.ts';

const probeEveryMs = 2_000;
const answerWithinMs = 1_500;
/** An election takes four to six seconds, in which no server of the cluster has an answer. */
const maxFailures = 3;
/** Every role may ask for it, and a server that is cut off has no answer. */
const question = `STREAM.INFO.${tableStream('PLACEMENT')}`;
const unavailable = 503;

/**
 * Leaves a nats-server that is cut off from its cluster: it keeps its clients and answers none of their requests, while
 * the other servers work (docs/decisions/0313).
 */
export class ServerProbe {
  readonly #connection: LogConnection;
  readonly #requester: Requester;
  #failures = 0;

  constructor(connection: LogConnection) {
    this.#connection = connection;
    this.#requester = new Requester(connection);
  }

  /** Probes until the connection is closed; it does not keep the process alive. */
  start(): void {
    setTimeout(() => this.#probe().catch(crash), probeEveryMs).unref();
  }

  async #probe(): Promise<void> {
    const { nats } = this.#connection;
    if (nats.isClosed()) return;
    // A connection that is down looks for another server by itself.
    const isWell = !this.#connection.up || (await this.#isAnswered());
    this.#failures = isWell ? 0 : this.#failures + 1;
    if (this.#failures >= maxFailures) {
      this.#failures = 0;
      await nats.reconnect();
    }
    this.start();
  }

  /** Any answer of the cluster will do, also that there is no such stream. */
  async #isAnswered(): Promise<boolean> {
    try {
      const { error } = await askServer(this.#requester, question, null, answerWithinMs);
      return error?.code !== unavailable;
    } catch (error) {
      if (error instanceof LogError) return false;
      throw error;
    }
  }
}
