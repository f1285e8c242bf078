import { repeatedAnswer } from '../../../src/gateway/api/contribution/repeated.ts';
import { replyForms } from '../../../src/gateway/api/contribution/reply.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { lane } from '../sim-system.ts';
import type { Cluster } from './cluster.ts';
import { ConnectionLost } from './gateways.ts';
import type { Call } from './plan.ts';

const retryWithinMs = 120_000;
/** After these a caller repeats the request with the same key. */
const retryable = new Set([
  'overloaded',
  'storage_unavailable',
  'outcome_unknown',
  'wallet_unavailable',
  'idempotency_in_progress',
  'instance_unavailable',
]);

/** What a caller means to happen once, and everything that it was answered. */
export interface Intent {
  readonly key: string;
  readonly command: Contribute;
  readonly answers: LaneAnswer[];
  /** Headers of the answers to repeats. */
  readonly repeats: (readonly string[])[];
  open: number;
}

/** Operators: each call under a key of its own, sent again to any gateway until it is answered. */
export class Callers {
  readonly intents: Intent[] = [];
  readonly complaints: string[] = [];
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  begin(calls: readonly Call[]): void {
    const { world } = this.#cluster.hosts;
    for (const [index, call] of calls.entries()) {
      const intent = this.#intentOf(call, index);
      this.intents.push(intent);
      for (let copies = call.impatient ? 2 : 1; copies > 0; copies -= 1)
        world.schedule(call.atMs, () => this.#begin(intent, call.againAfterMs));
    }
  }

  get areAnswered(): boolean {
    return this.intents.every(({ open, answers }) => open === 0 && answers.length > 0);
  }

  #intentOf(call: Call, index: number): Intent {
    const { world } = this.#cluster.hosts;
    const key = world.random().bytes(16);
    const command = contribution({
      idempotencyKey: key,
      target: { type: 'instance', id: call.instance },
      brand: call.brand,
      player: `player-${call.player}`,
      baseWagerAtoms: BigInt(call.units) * 100_000_000n,
      linked: call.linked,
      wallet: call.brand === 'op:main',
      gameround: `round-${index}`,
    });
    return { key: Buffer.from(key).toString('hex'), command, answers: [], repeats: [], open: 0 };
  }

  #begin(intent: Intent, againAfterMs: number | null): void {
    intent.open += 1;
    this.#untilAnswered(intent)
      .then(async () => {
        if (againAfterMs === null) return;
        await this.#pause(againAfterMs);
        await this.#untilAnswered(intent);
      })
      .catch((error) => this.complaints.push(String(error)))
      .finally(() => {
        intent.open -= 1;
      });
  }

  async #untilAnswered(intent: Intent): Promise<void> {
    const { hosts, plan } = this.#cluster;
    const { world } = hosts;
    const deadlineMs = world.nowMs + retryWithinMs;
    while (world.nowMs < deadlineMs) {
      try {
        return await this.#ask(intent, world.between(0, plan.gateways - 1));
      } catch (error) {
        const isExpected =
          error instanceof ConnectionLost || (error instanceof PublicError && retryable.has(error.code));
        if (!isExpected) this.complaints.push(`a caller was answered ${String(error)}`);
      }
      await this.#pause(world.between(10, 500));
    }
  }

  async #ask(intent: Intent, gateway: number): Promise<void> {
    const { gateways, hosts } = this.#cluster;
    // Every try is a contribution with an id of its own, under the same key.
    const command = { ...intent.command, contributionId: hosts.world.random().bytes(16) };
    const answer = await gateways.request(gateway, (way) => way.send(lane, command));
    intent.answers.push(answer);
    const { outcome } = answer;
    if (outcome.kind !== 'Duplicate') return;
    const { headers } = await gateways.request(gateway, (way) =>
      repeatedAnswer(
        { lanes: way, directory },
        { lane, sequence: outcome.sequence, index: outcome.index },
        command,
        { form: replyForms.one, metadata: null },
      ),
    );
    intent.repeats.push(headers ?? []);
  }

  #pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => void this.#cluster.hosts.world.schedule(durationMs, resolve));
  }
}

/** As a gateway knows the instances of these histories. */
const directory = {
  known: () => ({ configuration: { currency: 'EUR' } }),
} as unknown as Parameters<typeof repeatedAnswer>[0]['directory'];
