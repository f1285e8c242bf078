import type { Log, TableName } from '../../../src/ports.ts';
import { type Execution, startExecution } from '../../../src/wallet/execution/execution.ts';
import type { SimNode } from '../../support/sim-server.ts';
import { SimSystem } from '../sim-system.ts';
import { NetworkClients, WalletNetwork } from './wallet-network.ts';

/** Epochs are long: the draws are not what these histories are about. */
export const engineSettings = { epochMs: 600_000, epochSequences: 100_000 };

interface WalletProcess {
  readonly node: SimNode;
  readonly execution: Execution;
}

export interface WalletPlan {
  /** How many wallet processes run at once. */
  readonly processes: number;
  /** Whether each of them has leases of its own, so that all believe to hold the lane. */
  readonly sharesLeases: boolean;
  /** How far clocks of wallet processes may be from the server's. */
  readonly minClockMs: number;
  readonly maxClockMs: number;
}

/** The simulated system with wallet processes beside it, all of whose execution is real but the ports. */
export class MoneySystem {
  readonly sim: SimSystem;
  readonly network: WalletNetwork;
  readonly plan: WalletPlan;
  /** Bugs that a wallet process has reported. */
  readonly bugs: unknown[] = [];
  readonly results = new Map<string, number>();
  /** Part of the reports that arrive behind the death of their process. */
  overtakenRate = 0;
  kills = 0;
  pauses = 0;
  readonly #processes = new Map<number, WalletProcess>();
  #lives = 0;

  constructor(seed: number, plan: WalletPlan, sim = new SimSystem(seed, engineSettings)) {
    this.sim = sim;
    this.network = new WalletNetwork(this.sim.world);
    this.plan = plan;
  }

  /** The wallet processes that live, paused ones too. */
  get nodes(): readonly SimNode[] {
    return [...this.#processes.values()].map(({ node }) => node);
  }

  startWallet(slot: number): void {
    const { world, server } = this.sim;
    this.killWallet(slot);
    this.#lives += 1;
    const node = server.connect(`wallet-${this.#lives}`);
    node.clockOffsetMs = world.between(this.plan.minClockMs, this.plan.maxClockMs);
    const knowsFromMs = world.nowMs + (world.chance(0.2) ? world.between(0, 2_000) : 0);
    void this.#start(slot, node, knowsFromMs);
  }

  /** kill -9 */
  killWallet(slot: number): void {
    const process = this.#processes.get(slot);
    if (process === undefined) return;
    process.node.kill();
    this.#processes.delete(slot);
    this.kills += 1;
  }

  /** null: it does not run. */
  node(slot: number): SimNode | null {
    return this.#processes.get(slot)?.node ?? null;
  }

  slotOf(node: SimNode): number | null {
    for (const [slot, process] of this.#processes) if (process.node === node) return slot;
    return null;
  }

  /** Every process runs again. */
  healWallets(): void {
    for (let slot = 0; slot < this.plan.processes; slot += 1) {
      const process = this.#processes.get(slot);
      if (process === undefined) this.startWallet(slot);
      else process.node.resume();
    }
  }

  async #start(slot: number, node: SimNode, knowsFromMs: number): Promise<void> {
    const { world } = this.sim;
    const name = this.plan.sharesLeases ? 'LEASES' : `LEASES-${slot}`;
    const leases = await node.log.table(name as TableName);
    const count = (result: string, by = 1): void =>
      void this.results.set(result, (this.results.get(result) ?? 0) + by);
    const execution = startExecution({
      log: this.#stepped(node),
      bus: node.bus,
      clock: node.clock,
      random: world.random(),
      leases,
      lanes: 1,
      holder: `wallet-${slot}`,
      clients: new NetworkClients(this.network, node, knowsFromMs),
      monitor: {
        debitSettled: count,
        creditsSettled: (result, credits) => count(`credit ${result}`, credits),
        credited: () => {},
        alarm: (code) => count(code),
      },
      trouble: () => {},
      report: (error) => void this.bugs.push(error),
    });
    this.#processes.set(slot, { node, execution });
  }

  /** A process dies while its report is on its way: its successor may decide before the report arrives. */
  #overtake(node: SimNode, ...[lane, channel, bytes, { messageId }]: Parameters<Log['append']>): void {
    const { world, server } = this.sim;
    const slot = this.slotOf(node);
    if (slot === null) return;
    this.killWallet(slot);
    world.schedule(world.between(0, 2_000), () => this.startWallet(slot));
    world.schedule(world.between(2_000, 15_000), () => server.appendCommand(lane, channel, bytes, messageId));
  }

  /** A process may die or pause before a report and behind it. */
  #stepped(node: SimNode): Log {
    return {
      ...node.log,
      append: async (...given) => {
        this.network.step(node, true);
        await new Promise<void>((resolve) => node.run(resolve));
        if (this.sim.world.chance(this.overtakenRate)) this.#overtake(node, ...given);
        const result = await node.log.append(...given);
        this.network.step(node);
        await new Promise<void>((resolve) => node.run(resolve));
        return result;
      },
    };
  }
}
