import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import type { MemorySnapshots } from '../../support/memory-snapshots.ts';
import type { SimServer } from '../../support/sim-server.ts';
import type { HostVariant } from '../sim-hosts.ts';

export interface StoredSnapshot {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** OUT's last sequence when it became visible. */
  readonly storedOutcome: number;
}

export interface Observer {
  readonly variant: HostVariant;
  readonly snapshots: StoredSnapshot[];
  /** The engines of processes that live, also those that only replay for a while. */
  engines(): LaneEngine[];
  watch(disk: MemorySnapshots, server: SimServer): void;
}

/** Keeps what checks need and no port shows: the engines of all hosts, and every snapshot at the moment it was stored. */
export function observer(): Observer {
  const engines: { readonly engine: LaneEngine; readonly alive: () => boolean }[] = [];
  const snapshots: StoredSnapshot[] = [];
  return {
    snapshots,
    engines: () => engines.filter(({ alive }) => alive()).map(({ engine }) => engine),
    watch(disk, server) {
      disk.committed = (lane, sequence, bytes) =>
        void snapshots.push({ sequence, bytes, storedOutcome: server.lane(lane).outcomes.length });
    },
    variant: {
      ports(ports, { node }) {
        const noted = (engine: LaneEngine): LaneEngine => {
          engines.push({ engine, alive: () => node.alive });
          return engine;
        };
        return {
          ...ports,
          engines: {
            create: () => noted(ports.engines.create()),
            *restore(chunks) {
              return noted(yield* ports.engines.restore(chunks));
            },
          },
        };
      },
    },
  };
}
