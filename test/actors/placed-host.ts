import { join } from 'node:path';
import { ActorHost } from '../../src/actors/lane/actor-host.ts';
import { PlacedLanes } from '../../src/actors/placement/placed-lanes.ts';
import type { Engines } from '../../src/actors/ports/actor-ports.ts';
import type { SnapshotStore } from '../../src/actors/ports/snapshot-store.ts';
import type { Witness } from '../../src/actors/ports/witness.ts';
import { openSnapshotFiles } from '../../src/actors/recovery/snapshots/files.ts';
import { type LanePlacement, placeLanes } from '../../src/contracts/lanes/place-lanes.ts';
import { engineRangeOf, engineVersions } from '../../src/jackpot/lane/versions/versions.ts';
import type { ActorWorld } from './actor-world.ts';

/** A host that is placed beside others. */
export interface PlacedHost {
  readonly host: ActorHost;
  readonly snapshots: SnapshotStore;
  /** Drains it and leaves. */
  stop(): Promise<void>;
  abort(): Promise<void>;
}

/** A host with a disk of its own, and the ids of its processes. The world aborts it when it closes. */
export async function startPlacedHost(
  world: ActorWorld,
  hostId: string,
  { life = 'life', through = (engines: Engines) => engines, witness = world.witness }: PlacedOptions = {},
): Promise<PlacedHost> {
  const ports = world.ports(world.log, world.bus);
  const snapshots = openSnapshotFiles(join(world.dataDirectory, hostId));
  const [hosts, placement, leases] = await Promise.all([
    world.log.table('HOSTS'),
    world.log.table('PLACEMENT'),
    world.log.table('LEASES'),
  ]);
  const engine = engineRangeOf(engineVersions);
  const placed: PlacedLanes = new PlacedLanes(
    { ...ports, hosts, placement, leases, hostId, life, lanes: 1, engine, keys: () => [] },
    () => host,
  );
  const host: ActorHost = new ActorHost(
    [],
    { ...ports, engines: through(ports.engines), snapshots, witness },
    { ...world.settings(`${hostId}.${life}`), snapshotEveryMessages: 10 },
    placed,
  );
  await Promise.all([host.start(), placed.start()]);
  const started: PlacedHost = {
    host,
    snapshots,
    async stop() {
      await placed.handOver();
      await host.stop();
      await placed.stop();
    },
    async abort() {
      await host.abort();
      await placed.stop();
    },
  };
  world.keep(started);
  return started;
}

interface PlacedOptions {
  readonly life?: string | undefined;
  readonly through?: ((engines: Engines) => Engines) | undefined;
  readonly witness?: Witness | undefined;
}

/** Where these hosts have the only lane. */
export function placementOf(...ids: readonly string[]): LanePlacement {
  const hosts = ids.map((id) => ({ id, isSettled: true, isLeaving: false }));
  return placeLanes(1, hosts, new Map())[0] as LanePlacement;
}
