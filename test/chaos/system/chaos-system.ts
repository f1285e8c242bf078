import { setTimeout as pause } from 'node:timers/promises';
import { bootstrapAdministrator } from '../../../src/cli/admin/run.ts';
import { readSettings, type Settings } from '../../../src/config/settings.ts';
import type { NatsRole } from '../../../src/log/roles/permissions.ts';
import { assemble, commonEnvironment, type SystemParts, type Topology } from './assemble.ts';
import type { NatsServer, NatsServers } from './nats-servers.ts';
import type { Network } from './network.ts';
import type { Unit } from './unit.ts';
import { assembleUp } from './up-system.ts';

const startLimitMs = 120_000;
const pollMs = 100;

/**
 * The whole system as production runs it: nats-servers from the shipped files, a process for each role with its own user, each
 * restarted when it ends. Two gateways; one process of every other role, and one or two actor hosts.
 */
export class ChaosSystem implements SystemParts {
  readonly dataDirectory: string;
  readonly topology: Topology;
  readonly network: Network | null;
  readonly nats: NatsServers;
  readonly units: readonly Unit[];
  readonly gatewayUrls: readonly string[];
  readonly walletUrl: string;
  readonly walletMetricsUrl: string;
  readonly variables: Map<string, Readonly<Record<string, string>>>;
  readonly hostDirectoryOf: SystemParts['hostDirectoryOf'];
  readonly administrator: SystemParts['administrator'];

  private constructor(parts: SystemParts) {
    this.dataDirectory = parts.dataDirectory;
    this.topology = parts.topology;
    this.network = parts.network;
    this.nats = parts.nats;
    this.units = parts.units;
    this.gatewayUrls = parts.gatewayUrls;
    this.walletUrl = parts.walletUrl;
    this.walletMetricsUrl = parts.walletMetricsUrl;
    this.variables = parts.variables;
    this.hostDirectoryOf = parts.hostDirectoryOf;
    this.administrator = parts.administrator;
  }

  static async start(dataDirectory: string, topology: Topology): Promise<ChaosSystem> {
    const system = new ChaosSystem(
      await (topology.up === true ? assembleUp : assemble)(dataDirectory, topology),
    );
    try {
      await system.#startInOrder();
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  unit(name: string): Unit {
    const found = this.units.find((unit) => unit.name === name);
    if (found === undefined) throw new Error(`The system has no process ${name}.`);
    return found;
  }

  server(name: string): NatsServer {
    return this.nats.servers.find(({ unit }) => unit.name === name) as NatsServer;
  }

  /** Settings of a process with this user, as the commands of `potstream` read them. */
  settings(role: NatsRole): Settings {
    return readSettings(this.environment(role));
  }

  environment(role: NatsRole): Record<string, string> {
    return commonEnvironment(this.dataDirectory, this.nats.environmentOf(role));
  }

  /** Each process that does not work, with its reason. */
  async faults(): Promise<string[]> {
    const all = await Promise.all(
      this.units.map(async (unit) => ({ name: unit.name, fault: await unit.fault() })),
    );
    return all.flatMap(({ name, fault }) => (fault === null ? [] : `${name}: ${fault}`));
  }

  /** Waits until every process works. */
  async ready(limitMs = startLimitMs): Promise<void> {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      const faults = await this.faults();
      if (faults.length === 0) return;
      if (performance.now() > untilMs) throw new Error(`not ready after ${limitMs} ms: ${faults.join('; ')}`);
      await pause(pollMs);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.units.map((unit) => unit.stop()));
    this.network?.close();
  }

  async #startInOrder(): Promise<void> {
    for (const { unit } of this.nats.servers) unit.start();
    if (this.topology.up === true) return this.ready();
    await this.#readyUnits((name) => name.startsWith('nats-'));
    const created = await this.#bootstrap();
    if (created !== 'done') throw new Error(`No first administrator: ${created}`);
    for (const unit of this.units) unit.start();
    await this.ready();
  }

  async #readyUnits(belongs: (name: string) => boolean): Promise<void> {
    const units = this.units.filter(({ name }) => belongs(name));
    const untilMs = performance.now() + startLimitMs;
    while ((await Promise.all(units.map((unit) => unit.fault()))).some((fault) => fault !== null)) {
      if (performance.now() > untilMs) throw new Error('nats-server does not start');
      await pause(pollMs);
    }
  }

  /** A cluster may still choose its leader. */
  async #bootstrap(): Promise<string> {
    const untilMs = performance.now() + startLimitMs;
    for (;;) {
      try {
        return await bootstrapAdministrator(this.settings('start'), this.administrator());
      } catch (error) {
        if (performance.now() > untilMs) throw error;
      }
      await pause(pollMs);
    }
  }
}
