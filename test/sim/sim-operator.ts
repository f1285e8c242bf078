import { PublicError } from '../../src/gateway/base/errors.ts';
import type { LaneAnswer } from '../../src/gateway/lanes/lane-client.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { lane, type SimSystem } from './sim-system.ts';

const retryWithinMs = 120_000;

/** What an operator means to happen exactly once, and every answer it was given. */
export interface Intent {
  readonly key: string;
  readonly command: Contribute;
  readonly answers: LaneAnswer[];
  done: boolean;
}

/** Sends contributions and repeats each, under its idempotency key, until it is told what became of it. */
export class SimOperator {
  readonly intents: Intent[] = [];
  readonly #system: SimSystem;
  readonly #instances: readonly string[];
  readonly #eventMetadata: string | null;

  constructor(system: SimSystem, instances: readonly string[], eventMetadata: string | null = null) {
    this.#system = system;
    this.#instances = instances;
    this.#eventMetadata = eventMetadata;
  }

  /** Spreads `count` intents over `durationMs`. */
  begin(count: number, durationMs: number): void {
    const { world } = this.#system;
    for (let index = 0; index < count; index += 1) {
      world.schedule(world.between(0, durationMs), () => this.#intend(index));
    }
  }

  settled(count: number): boolean {
    return this.intents.length === count && this.intents.every((intent) => intent.done);
  }

  #intend(index: number): void {
    const { world } = this.#system;
    const intent: Intent = {
      key: Buffer.from(world.random().bytes(16)).toString('hex'),
      command: this.#command(index),
      answers: [],
      done: false,
    };
    (intent.command as { idempotencyKey: Uint8Array }).idempotencyKey = Buffer.from(intent.key, 'hex');
    this.intents.push(intent);
    const tries = [this.#sendUntilAnswered(intent)];
    // Some callers are impatient: the same key twice at once.
    if (world.chance(0.2)) tries.push(this.#sendUntilAnswered(intent));
    void Promise.all(tries).then(async () => {
      if (world.chance(0.3)) {
        await this.#pause(world.between(0, 3_000));
        await this.#sendUntilAnswered(intent);
      }
      intent.done = true;
    });
  }

  #command(index: number): Contribute {
    const { world } = this.#system;
    return contribution({
      contributionId: world.random().bytes(16),
      target: { type: 'instance', id: this.#instances[world.between(0, this.#instances.length - 1)]! },
      player: `player-${world.between(1, 8)}`,
      baseWagerAtoms: BigInt(world.between(1, 1_000)) * 1_000_000n,
      gameround: `round-${index}`,
      eventMetadata: this.#eventMetadata,
    });
  }

  async #sendUntilAnswered(intent: Intent): Promise<void> {
    const { gateway, world } = this.#system;
    const deadlineMs = world.nowMs + retryWithinMs;
    while (world.nowMs < deadlineMs) {
      try {
        intent.answers.push(await gateway.send(lane, intent.command));
        return;
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
      }
      await this.#pause(world.between(10, 500));
    }
  }

  #pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => void this.#system.world.schedule(durationMs, resolve));
  }
}
