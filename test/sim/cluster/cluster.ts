import type { Log } from '../../../src/ports.ts';
import type { SimNode } from '../../support/sim-server.ts';
import { settleInTurn } from '../../support/sim-world.ts';
import { MoneySystem } from '../money/money-system.ts';
import { type HostVariant, SimHosts } from '../sim-hosts.ts';
import { lane } from '../sim-system.ts';
import { SimGateways } from './gateways.ts';
import { observer } from './observer.ts';
import type { Plan, ProcessFault } from './plan.ts';
import { type Child, SimSupervisor } from './supervisor.ts';

/** Epochs are long: what they reveal is published by replays, which other histories are about. */
const settings = { epochMs: 600_000, epochSequences: 100_000 };

/** A bug around a real part, to see that the campaign finds it. */
export interface Bug extends HostVariant {
  readonly gatewayLog?: (log: Log, node: SimNode) => Log;
  /** Called once the system is there, before anything runs. */
  readonly plant?: (cluster: Cluster) => void;
}

/** The whole system on simulated ports: gateways, hosts, wallet processes, and the supervisor that restarts them. */
export class Cluster {
  readonly plan: Plan;
  readonly hosts: SimHosts;
  readonly money: MoneySystem;
  readonly gateways: SimGateways;
  readonly supervisor: SimSupervisor;
  readonly observed = observer();
  /** Of hosts whose machine is lost. */
  readonly lost = new Set<number>();
  /** What no part may ever report. */
  readonly faults: unknown[] = [];
  readonly #children = new Map<string, Child>();

  constructor(plan: Plan, bug: Bug = {}) {
    this.plan = plan;
    this.hosts = new SimHosts(plan.seed, plan.hosts, {
      settings,
      settleEvent: settleInTurn,
      clocksMs: plan.clocksMs,
      variants: [bug, this.observed.variant],
    });
    this.money = new MoneySystem(
      plan.seed,
      { processes: plan.wallets, sharesLeases: true, minClockMs: 0, maxClockMs: 0 },
      this.hosts,
    );
    const { server, world } = this.hosts;
    this.gateways = new SimGateways(server, bug.gatewayLog ?? ((log) => log), (error) =>
      this.faults.push(error),
    );
    this.supervisor = new SimSupervisor(world);
    for (let index = 0; index < plan.hosts; index += 1) this.observed.watch(this.hosts.disk(index), server);
    bug.plant?.(this);
  }

  start(): void {
    const { gateways, money, plan } = this;
    for (let index = 0; index < plan.hosts; index += 1) this.#supervise('host', index, this.#host(index));
    for (let index = 0; index < plan.gateways; index += 1)
      this.#supervise('gateway', index, {
        start: () => gateways.start(index),
        kill: () => gateways.kill(index),
        node: () => gateways.node(index),
        isReady: () => true,
      });
    for (let index = 0; index < plan.wallets; index += 1)
      this.#supervise('wallet', index, {
        start: () => money.startWallet(index),
        kill: () => money.killWallet(index),
        node: () => money.node(index),
        isReady: () => true,
      });
  }

  #supervise(role: ProcessFault['role'], index: number, child: Child): void {
    this.#children.set(`${role}-${index}`, child);
    this.supervisor.add(`${role}-${index}`, child);
  }

  #host(index: number): Child {
    const { hosts } = this;
    return {
      start: () => hosts.start(index),
      kill: () => hosts.kill(index),
      node: () => hosts.node(index),
      isReady: () => hosts.owner === index || hosts.warm.includes(index),
    };
  }

  /** The number of a host by what it does now: 0 owns the lane. */
  hostAt(which: number): number {
    const { owner } = this.hosts;
    const first = owner ?? 0;
    const all = Array.from({ length: this.plan.hosts }, (_, index) => index);
    return [first, ...all.filter((index) => index !== first)][which % this.plan.hosts]!;
  }

  nodeOf(role: ProcessFault['role'], index: number): SimNode | null {
    return this.#children.get(`${role}-${index}`)?.node() ?? null;
  }

  /** kill -9; the supervisor restarts it. */
  kill(role: ProcessFault['role'], index: number): void {
    this.#children.get(`${role}-${index}`)?.kill();
    this.supervisor.ended(`${role}-${index}`);
  }

  /** The machines of all processes lose power; those of the supervisor restart them. */
  killAll(): void {
    for (const [name, child] of this.#children) {
      child.kill();
      this.supervisor.ended(name);
    }
  }

  /** SIGTERM; the supervisor restarts it. */
  async stopHost(index: number): Promise<void> {
    const node = this.hosts.node(index);
    await this.hosts.stopHost(index);
    if (node !== null && this.hosts.node(index) === null) this.supervisor.ended(`host-${index}`);
  }

  /** Its machine is gone with its disk. */
  lose(index: number): void {
    if (this.lost.size > 0) return;
    this.lost.add(index);
    this.supervisor.forget(`host-${index}`);
    this.hosts.kill(index);
  }

  /** The lane has an owner, and a warm standby where another host lives. */
  get isWhole(): boolean {
    const { hosts, lost, plan } = this;
    return hosts.owned && hosts.warm.length >= Math.min(1, plan.hosts - lost.size - 1);
  }

  /** Nothing is left to be recorded, debited or credited. */
  get isAtRest(): boolean {
    const { commands, outcomes } = this.hosts.server.lane(lane);
    const engine = this.hosts.ownedEngine;
    return (
      engine !== null &&
      engine.appliedSequence === commands.length &&
      outcomes.length === commands.length &&
      engine.openDebits(0, 1).length === 0 &&
      engine.openCredits(0, 1, [], '').length === 0
    );
  }
}
