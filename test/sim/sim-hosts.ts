import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import { claimName } from '../../src/actors/placement/host-record.ts';
import { PlacedLanes } from '../../src/actors/placement/placed-lanes.ts';
import type { ActorPorts, Engines } from '../../src/actors/ports/actor-ports.ts';
import type { LaneEngine } from '../../src/jackpot/lane/lane.ts';
import {
  type EngineVersions,
  engineRangeOf,
  engineVersions,
} from '../../src/jackpot/lane/versions/versions.ts';
import { crash } from '../../src/lib/crash.ts';
import { journalOpener } from '../../src/log/lanes/outcome-journal.ts';
import { decodeBatchReply, decodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { EngineSettings } from '../../src/messages/lane-commands.ts';
import { type Log, LogError, type Table, type TableName } from '../../src/ports.ts';
import { MemorySnapshots } from '../support/memory-snapshots.ts';
import { MemoryWitness } from '../support/memory-witness.ts';
import type { SimNode } from '../support/sim-server.ts';
import { enginesOf, lane, laneSettings, SimSystem } from './sim-system.ts';

interface Running {
  readonly node: SimNode;
  readonly host: ActorHost;
  readonly placed: PlacedLanes;
}

/** What one host did for a message: it stored its outcome record, or replied to its batch. */
interface Emission {
  readonly sequence: number;
  readonly by: string;
}

/** One life of the process of a host. */
export interface HostLife {
  readonly index: number;
  readonly node: SimNode;
}

/** What is around the real parts of a host: a bug that is planted there, or an observer. */
export interface HostVariant {
  readonly log?: (log: Log, life: HostLife) => Log;
  readonly table?: (table: Table, name: TableName, life: HostLife) => Table;
  readonly ports?: (ports: ActorPorts, life: HostLife) => ActorPorts;
}

export interface SimHostsOptions {
  readonly settings?: EngineSettings;
  readonly settleEvent?: () => Promise<void>;
  readonly variants?: readonly HostVariant[];
  /** How far the clock of each host is from the server's. */
  readonly clocksMs?: readonly number[];
  /** All processes run under one host id, by mistake. */
  readonly namesakes?: true;
}

/** Several actor hosts, each with a disk of its own, that place one lane among themselves. */
export class SimHosts extends SimSystem {
  readonly emissions: Emission[] = [];
  readonly #disks: { readonly snapshots: MemorySnapshots; readonly witness: MemoryWitness }[];
  readonly #hosts: (Running | null)[];
  readonly #options: SimHostsOptions;
  #areTablesCut = false;
  #started = 0;

  constructor(seed: number, count: number, options: SimHostsOptions = {}) {
    super(seed, options.settings, options.settleEvent);
    this.#options = options;
    this.#hosts = Array.from({ length: count }, () => null);
    this.#disks = this.#hosts.map(() => ({ snapshots: new MemorySnapshots(), witness: new MemoryWitness() }));
  }

  override get owned(): boolean {
    return this.owner !== null;
  }

  override get stopped(): string | null {
    const all = this.#hosts.flatMap((running) => running?.host.statuses() ?? []);
    return all.find(({ stopped }) => stopped !== null)?.stopped ?? null;
  }

  override get lives(): number {
    return this.#started;
  }

  /** The host that owns the lane, by what it says itself; null: none. */
  get owner(): number | null {
    const index = this.#hosts.findIndex((_, each) => this.owns(each));
    return index === -1 ? null : index;
  }

  /** By what the host says itself: one that is paused may be wrong. */
  owns(index: number): boolean {
    return this.#hosts[index]?.host.status(lane)?.ownership === 'owning';
  }

  /** Hosts that follow the lane, caught up. */
  get warm(): number[] {
    return this.#hosts.flatMap((running, index) => {
      const status = running?.host.status(lane);
      return status?.caughtUp === true && status.ownership === 'following' ? [index] : [];
    });
  }

  /** Why the host does not count as ready; null: it does. */
  unready(index: number): string | null {
    return this.#hosts[index]?.placed.unready() ?? null;
  }

  /** The lane head of every host that has the lane. */
  get applied(): number[] {
    return this.#hosts.flatMap((running) => running?.host.status(lane)?.appliedSequence ?? []);
  }

  override startHost(): void {
    for (const index of this.#hosts.keys()) this.start(index);
  }

  start(index: number): void {
    this.kill(index);
    this.#started += 1;
    const hostId = this.#options.namesakes === true ? 'host' : `host-${index}`;
    const life = `life${this.#started}`;
    const name = claimName(hostId, life);
    const node = this.server.connect(name);
    node.clockOffsetMs = this.#options.clocksMs?.[index] ?? 0;
    const versions = this.versionsOf(index);
    const ports = this.#portsOf({ node, index }, this.enginesWith(versions));
    const { bus, clock, monitor } = ports;
    const open = (name: TableName) => this.#table({ node, index }, name);
    void Promise.all([open('HOSTS'), open('PLACEMENT'), open('LEASES')])
      .then(async ([hosts, placement, leases]) => {
        const placed: PlacedLanes = new PlacedLanes(
          {
            hosts,
            placement,
            leases,
            bus,
            clock,
            monitor,
            hostId,
            life,
            lanes: 1,
            engine: engineRangeOf(versions),
            keys: () => [],
          },
          () => host,
        );
        const host: ActorHost = new ActorHost([], ports, laneSettings(name, this.#options.settings), placed);
        this.#hosts[index] = { node, host, placed };
        await Promise.all([host.start(), placed.start()]);
      })
      .catch(crash);
  }

  /** null: it does not run. */
  node(index: number): SimNode | null {
    return this.#hosts[index]?.node ?? null;
  }

  /** The engine of the lane's owner. */
  get ownedEngine(): LaneEngine | null {
    const owned = this.#hosts.flatMap((running) => running?.host.ownedLanes() ?? []);
    return owned[0]?.engine ?? null;
  }

  disk(index: number): MemorySnapshots {
    return this.#disks[index]!.snapshots;
  }

  kill(index: number): void {
    this.#hosts[index]?.node.kill();
    this.#hosts[index] = null;
  }

  pause(index: number): void {
    this.#hosts[index]?.node.pause();
  }

  resume(index: number): void {
    this.#hosts[index]?.node.resume();
  }

  /** SIGTERM: the host hands over, drains and ends. */
  async stopHost(index: number): Promise<void> {
    const running = this.#hosts[index];
    if (running === null || running === undefined) return;
    await running.placed.handOver();
    await running.host.stop();
    await running.placed.stop();
    if (this.#hosts[index] === running) this.kill(index);
  }

  /** No host can write a table any more, or all can again. */
  cutTables(cut: boolean): void {
    this.#areTablesCut = cut;
  }

  /** As the server gives it, while tables can be written. */
  async #table(life: HostLife, name: TableName): Promise<Table> {
    let table = await life.node.log.table(name);
    for (const variant of this.#variants) table = variant.table?.(table, name, life) ?? table;
    const refuse = <T>(): Promise<T> =>
      Promise.reject(new LogError('unavailable', 'the table has no leader'));
    return {
      ...table,
      put: (key, value, expected) => (this.#areTablesCut ? refuse() : table.put(key, value, expected)),
      remove: (key, expected) => (this.#areTablesCut ? refuse() : table.remove(key, expected)),
    };
  }

  /** An administrator's order in KV PLACEMENT; null takes it back. */
  order(key: string, value: string | null): void {
    const present = this.server.entries('PLACEMENT').get(key);
    const revision = present && present.value !== null ? present.revision : 0;
    this.server.putEntry('PLACEMENT', key, value === null ? null : Buffer.from(value), revision);
  }

  /** Emissions of a host for a message that an owner after it had claimed: there must be none. */
  staleEmissions(): Emission[] {
    const claims = this.server.lane(lane).commands.flatMap(({ sequence, channel, bytes }) => {
      const [command] = channel === 'own' ? decodeCommandBatch(bytes).commands : [];
      return command?.kind === 'Own' ? [{ sequence, by: command.host }] : [];
    });
    return this.emissions.filter(({ sequence, by }) => {
      const owner = claims.findLastIndex((claim) => claim.sequence <= sequence);
      return claims.findLastIndex((claim) => claim.by.startsWith(by)) < owner;
    });
  }

  get #variants(): readonly HostVariant[] {
    return this.#options.variants ?? [];
  }

  /** The engine versions of the software that a host has now. */
  protected versionsOf(_index: number): EngineVersions {
    return engineVersions;
  }

  protected enginesWith(versions: EngineVersions): Engines {
    return versions === engineVersions ? this.engines : enginesOf(undefined, versions);
  }

  #portsOf(life: HostLife, engines: Engines): ActorPorts {
    const { node, index } = life;
    const disk = this.#disks[index]!;
    const { bus } = node;
    let { log } = node;
    for (const variant of this.#variants) log = variant.log?.(log, life) ?? log;
    const emitted = (sequence: number): void => void this.emissions.push({ sequence, by: node.name });
    let ports: ActorPorts = {
      ...this.ports(node),
      engines,
      log,
      snapshots: disk.snapshots.of(() => node.alive),
      witness: disk.witness,
      bus: {
        ...bus,
        publish: (subject: string, bytes: Uint8Array) => {
          if (subject.startsWith('reply.')) emitted(decodeBatchReply(bytes).sequence);
          bus.publish(subject, bytes);
        },
      },
      openJournal: journalOpener(
        {
          ...log,
          appendOutcome: async (of, sequence, routing, bytes) => {
            const result = await log.appendOutcome(of, sequence, routing, bytes);
            if (result.kind === 'stored') emitted(sequence);
            return result;
          },
          appendBlock: async (of, first, records) => {
            const result = await log.appendBlock(of, first, records);
            if (result.kind === 'stored') for (const index of records.keys()) emitted(first + index);
            return result;
          },
        },
        node.clock,
      ),
    };
    for (const variant of this.#variants) ports = variant.ports?.(ports, life) ?? ports;
    return ports;
  }
}
