import { crash } from '../../lib/crash.ts';
import { LogError } from '../../ports.ts';
import { tableStream } from '../names.ts';
import { askServer } from './api.ts';
import { type ClusterState, isOfMajority } from './cluster-state.ts';
import type { LogConnection } from './connection.ts';
import { Requester } from './requester.ts';

const probeEveryMs = 1_000;
const answerWithinMs = 1_000;
/** While the leader of one of the streams is elected, which takes four to nine seconds, the other one has an answer as a rule. */
const maxFailures = 4;
/** After it left servers in vain: the cluster has no majority, or it elects every leader. */
const maxPatience = 32;
/** Every role may ask for them; in turns, because they have leaders of their own. */
const streams = [tableStream('PLACEMENT'), tableStream('ACCOUNTS')];
const unavailable = 503;

/**
 * Leaves a nats-server that is cut off from its cluster: it keeps its clients and does nothing for them, while the other
 * servers work (docs/decisions/0284).
 */
export class ServerProbe {
  readonly #connection: LogConnection;
  readonly #requester: Requester;
  #failures = 0;
  #patience = maxFailures;
  #asked = 0;

  constructor(connection: LogConnection) {
    this.#connection = connection;
    this.#requester = new Requester(connection);
  }

  /** Probes until the connection is closed; it does not keep the process alive. */
  start(): void {
    this.#again(probeEveryMs);
  }

  async #probe(): Promise<void> {
    const { nats } = this.#connection;
    if (nats.isClosed()) return;
    const beganMs = performance.now();
    // A connection that is down looks for another server by itself.
    if (!this.#connection.up) this.#failures = 0;
    else if (await this.#isAnswered()) {
      this.#failures = 0;
      this.#patience = maxFailures;
    } else this.#failures += 1;
    if (this.#failures >= this.#patience) {
      this.#failures = 0;
      this.#patience = Math.min(maxPatience, 2 * this.#patience);
      await nats.reconnect();
    }
    this.#again(probeEveryMs - (performance.now() - beganMs));
  }

  #again(delayMs: number): void {
    setTimeout(() => this.#probe().catch(crash), Math.max(0, delayMs)).unref();
  }

  /** Any answer of a majority will do, also that there is no such stream. */
  async #isAnswered(): Promise<boolean> {
    try {
      this.#asked += 1;
      const question = `STREAM.INFO.${streams[this.#asked % streams.length]}`;
      const answer = await askServer<{ cluster?: ClusterState }>(
        this.#requester,
        question,
        null,
        answerWithinMs,
      );
      return answer.error === undefined ? isOfMajority(answer.ok.cluster) : answer.error.code !== unavailable;
    } catch (error) {
      if (error instanceof LogError) return false;
      throw error;
    }
  }
}
