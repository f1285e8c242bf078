import { AdministratorClient, firstStatus, OperatorClient } from './operator-client.ts';
import type { RunningSystem } from './system.ts';

const senders = 6;
/** Each sender soon has a request under way when nobody answers, and traffic takes little of the processor meanwhile. */
const shortPauseMs = 60;
/** Of the last answers, those that are asked for again. */
const repeatedAnswers = 40;

export interface Sent {
  readonly key: string;
  readonly player: number;
  readonly status: number;
  readonly tries: number;
  /** When the answer came, by this process's monotonic clock. */
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Traffic {
  /** Contributions that were answered so far. */
  answered(): number;
  stop(): Promise<readonly Sent[]>;
}

/** What became of traffic: every field is as it must be when nothing was lost and nothing was doubled. */
export interface Books {
  /** Counted by the instance, beyond what was sent. */
  readonly surplus: number;
  readonly distinctIds: number;
  /** Repeats of the last keys that were not answered 204 with the first answer's headers. */
  readonly changedRepeats: number;
  readonly conservation: string;
  readonly statuses: readonly number[];
}

/** Contributions of the demo's players, each repeated until there is an answer, and the books afterwards. */
export class CountedTraffic {
  readonly #system: RunningSystem;
  readonly #operator: OperatorClient;
  readonly #administrator: AdministratorClient;
  readonly #instance: string;

  private constructor(
    system: RunningSystem,
    operator: OperatorClient,
    administrator: AdministratorClient,
    instance: string,
  ) {
    this.#system = system;
    this.#operator = operator;
    this.#administrator = administrator;
    this.#instance = instance;
  }

  /** The instance that gets the contributions. */
  get instance(): string {
    return this.#instance;
  }

  static async open(system: RunningSystem): Promise<CountedTraffic> {
    const operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
    const administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
    const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
    const { id } = (await lookup.json()) as { id: string };
    return new CountedTraffic(system, operator, administrator, id);
  }

  /** A long pause saves processor time where each sender soon has a request under way anyhow, because nobody answers. */
  start(name: string, pauseMs: number = shortPauseMs): Traffic {
    let running = true;
    const sent: Sent[] = [];
    const all = Array.from({ length: senders }, async (_, player) => {
      for (let n = 0; running; n += 1) {
        const key = `${name}-${player}-${n}`;
        const answer = await this.#send(key, player);
        sent.push({
          key,
          player,
          status: answer.status,
          tries: answer.tries,
          atMs: performance.now(),
          headers: answer.headers,
        });
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    });
    return {
      answered: () => sent.length,
      async stop() {
        running = false;
        await Promise.all(all);
        return sent;
      },
    };
  }

  async total(): Promise<number> {
    const answer = await this.#administrator.call('GET', `/config/instances/${this.#instance}`);
    return (answer.body as { total_contributions: number }).total_contributions;
  }

  async books(sent: readonly Sent[], totalBefore: number): Promise<Books> {
    let changedRepeats = 0;
    for (const { key, player, headers } of sent.slice(-repeatedAnswers)) {
      const repeated = await this.#send(key, player);
      const same = JSON.stringify(repeated.headers) === JSON.stringify(headers);
      if (repeated.status !== 204 || !same) changedRepeats += 1;
    }
    const path = `/v1/fairness/instances/${this.#instance}/conservation`;
    const conservation = (await (await fetch(`${this.#system.baseUrl}${path}`)).json()) as { sum: number };
    return {
      surplus: (await this.total()) - totalBefore - sent.length,
      distinctIds: new Set(sent.map(({ headers }) => headers['x-contribution-id'])).size,
      changedRepeats,
      conservation: String(conservation.sum),
      statuses: [...new Set(sent.map(firstStatus))],
    };
  }

  #send(key: string, player: number) {
    const { players } = this.#system.credentials;
    const { player_id, token, currency } = players[player % players.length]!;
    return this.#operator.contributeSurely(this.#instance, {
      token,
      brand_id: 'demo:main',
      player_id,
      player_country: 'DE',
      gameround_id: `round-${key}`,
      base_wager: 1,
      currency,
      idempotency_key: key,
    });
  }
}
