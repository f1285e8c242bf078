import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../src/messages/queries.ts';
import type { CreditRecord, CreditState, DebitRecord } from '../../../src/messages/settlements.ts';
import { contribution, setStatus } from '../../jackpot/support/commands.ts';
import { lane, type SimSystem } from '../sim-system.ts';
import { type BrandPath, brands, instances } from './money-lane.ts';
import type { WalletNetwork } from './wallet-network.ts';

const retryWithinMs = 60_000;
const togetherMs = 5_000;
const currencies = ['EUR', 'EUR', 'USD', 'JPY'] as const;

/** Callers whose players pay, and the people at the desk. */
export class MoneyPlayers {
  readonly answers: LaneAnswer[] = [];
  /** What callers know of the wallets of brands; they may be behind the lane. */
  readonly hasWallet = new Map<BrandPath, boolean>(brands.map((brand) => [brand, true]));
  /** Callers and administrators who wait for an answer. */
  open = 0;
  /** Credits that the desk wanted to resolve. */
  resolved = 0;
  readonly #system: SimSystem;
  readonly #network: WalletNetwork;

  constructor({ sim, network }: { readonly sim: SimSystem; readonly network: WalletNetwork }) {
    this.#system = sim;
    this.#network = network;
  }

  /** Spreads `count` contributions over `durationMs`; `together`: many come at the same moments. */
  begin(count: number, durationMs: number, together = false): void {
    const { world } = this.#system;
    for (let index = 0; index < count; index += 1)
      this.#task(async () => {
        const atMs = world.between(0, durationMs);
        await this.#pause(together ? atMs - (atMs % togetherMs) : atMs);
        await this.#contribute(index);
      });
  }

  pauseFor(instance: string, durationMs: number): void {
    this.#task(async () => {
      await this.administer(setStatus('Paused', instance));
      await this.#pause(durationMs);
      await this.administer(setStatus('Active', instance));
    });
  }

  /** A command of an administrator, until it is answered. */
  async administer(command: Command): Promise<void> {
    const { gateway, world } = this.#system;
    for (;;) {
      try {
        await gateway.send(lane, command);
        return;
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
      }
      await this.#pause(world.between(50, 500));
    }
  }

  /** Releases, retries or resolves credits in these states, each with the given chance. */
  async decide(chance: number, states: readonly CreditState[] = ['withheld', 'dead']): Promise<void> {
    const { world } = this.#system;
    for (const credit of await this.credits(states)) {
      if (!world.chance(chance)) continue;
      const { transactionId, brand, state } = credit;
      const isDecided = this.#network.of(brand).isBarred(transactionId);
      if (isDecided || (credit.kind !== 'close' && world.chance(0.3))) {
        await this.#resolve(transactionId, brand);
        continue;
      }
      const kind = state === 'withheld' ? 'ReleaseCredit' : 'RetryCredit';
      this.#network.of(brand).decided.add(transactionId);
      await this.administer({ kind, transactionId, reason: 'looked at', user: 'desk' });
    }
  }

  /** The player has the money, or gets it in another way once the wallet will never pay it (docs/rules/settlements.md "Decisions of people"). */
  async #resolve(transactionId: string, brand: string): Promise<void> {
    const wallet = this.#network.of(brand);
    wallet.decided.add(transactionId);
    wallet.hasPaidOrBars(transactionId);
    await this.administer({ kind: 'ResolveCredit', transactionId, reason: 'paid', user: 'desk' });
    this.resolved += 1;
  }

  /** Credits of the lane in these states. */
  async credits(states: readonly CreditState[]): Promise<readonly CreditRecord[]> {
    const answer = await this.#ask({ kind: 'open_credits', after: 0, limit: 500, states, batch: '' });
    return answer.kind === 'open_credits' ? answer.credits : [];
  }

  async debits(): Promise<readonly DebitRecord[]> {
    const answer = await this.#ask({ kind: 'open_debits', after: 0, limit: 500 });
    return answer.kind === 'open_debits' ? answer.debits : [];
  }

  /** Until somebody answers. */
  async #ask(query: Extract<LaneQuery, { kind: 'open_credits' | 'open_debits' }>): Promise<LaneQueryAnswer> {
    for (;;) {
      try {
        const answer = await this.#system.gateway.query(lane, query);
        if (answer.kind === query.kind) return answer;
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
      }
      await this.#pause(250);
    }
  }

  #task(run: () => Promise<void>): void {
    this.open += 1;
    void run().then(() => {
      this.open -= 1;
    });
  }

  async #contribute(index: number): Promise<void> {
    const { gateway, world } = this.#system;
    const asked = this.#command(index);
    const deadlineMs = world.nowMs + retryWithinMs;
    while (world.nowMs < deadlineMs) {
      try {
        // Every try is a contribution with an id of its own, under the same key.
        const contributionId = world.random().bytes(16);
        const wallet = this.hasWallet.get(asked.brand as BrandPath)!;
        const answer = await gateway.send(lane, { ...asked, contributionId, wallet });
        this.answers.push(answer);
        if (answer.outcome.kind !== 'Refused' || world.chance(0.7)) return;
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
      }
      await this.#pause(world.between(10, 2_000));
    }
  }

  #command(index: number): Contribute {
    const { world } = this.#system;
    const player = world.between(1, 6);
    const brand = brands[world.between(0, brands.length - 1)]!;
    return contribution({
      idempotencyKey: world.random().bytes(16),
      target: { type: 'instance', id: instances[world.between(0, instances.length - 1)]! },
      brand,
      player: `player-${player}`,
      currency: currencies[player % currencies.length]!,
      baseWagerAtoms: BigInt(world.between(100, 1_000)) * 100_000_000n,
      linked: world.chance(0.5),
      gameround: `round-${index}`,
      vertical: world.chance(0.5) ? 'slots' : '',
    });
  }

  #pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => void this.#system.world.schedule(durationMs, resolve));
  }
}
