import type { ConnectionOptions } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { crash } from '../../lib/crash.ts';
import { LogError } from '../../ports.ts';
import { answersForCluster, clusterQuestion, clusterQuestions } from './cluster-state.ts';
import type { LogConnection } from './connection.ts';
import { Requester } from './requester.ts';
import type { ServerChoice } from './server-choice.ts';

const probeEveryMs = 1_000;
const answerWithinMs = 1_000;
/** Silent answers in a row after which another server is looked for. */
const maxFailures = 3;

/**
 * Leaves a nats-server that is cut off from its cluster, for one that is not: it keeps its clients and does
 * nothing for them (docs/decisions/0284).
 */
export class ServerProbe {
  readonly #connection: LogConnection;
  readonly #requester: Requester;
  readonly #options: ConnectionOptions;
  readonly #choice: ServerChoice;
  #failures = 0;
  #asked = 0;

  constructor(connection: LogConnection, options: ConnectionOptions, choice: ServerChoice) {
    this.#connection = connection;
    this.#requester = new Requester(connection);
    this.#options = options;
    this.#choice = choice;
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
    const isWell = !this.#connection.up || (await this.#isAnswered());
    this.#failures = isWell ? 0 : this.#failures + 1;
    if (this.#failures >= maxFailures) await this.#leave();
    this.#again(probeEveryMs - (performance.now() - beganMs));
  }

  #again(delayMs: number): void {
    setTimeout(() => this.#probe().catch(crash), Math.max(0, delayMs)).unref();
  }

  async #isAnswered(): Promise<boolean> {
    this.#asked += 1;
    try {
      const answer = await this.#requester.send(clusterQuestion(this.#asked), '', answerWithinMs);
      return answersForCluster(answer.json());
    } catch (error) {
      if (error instanceof LogError) return false;
      throw error;
    }
  }

  /** While no server has a majority, all are alike: it stays. */
  async #leave(): Promise<void> {
    const { nats } = this.#connection;
    const here = nats.getServer();
    const others = nats.getServers().flatMap(({ listen }) => (listen === here ? [] : [listen]));
    const isWell = await Promise.all(others.map((server) => this.#hasCluster(server)));
    const wells = others.filter((_, index) => isWell[index]);
    if (wells.length === 0 || !this.#connection.up || nats.isClosed()) return;
    this.#failures = 0;
    this.#choice.prefer(wells);
    await nats.reconnect();
  }

  /** Asks it over a connection that is closed afterwards. */
  async #hasCluster(server: string): Promise<boolean> {
    const { reconnectToServer: _, ...options } = this.#options;
    try {
      const scout = await connect({
        ...options,
        servers: [server],
        reconnect: false,
        timeout: answerWithinMs,
      });
      try {
        for (let n = 0; n < clusterQuestions; n += 1) {
          const answer = await scout
            .request(clusterQuestion(n), '', { timeout: answerWithinMs })
            .catch(() => null);
          if (answer !== null && answersForCluster(answer.json())) return true;
        }
        return false;
      } finally {
        await scout.close();
      }
    } catch {
      // Whatever is amiss with it: it is no place to go.
      return false;
    }
  }
}
