import { decodeHostRecord, type HostRecord, hostIdOf } from '../../actors/placement/host-record.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import type { Bus, Table } from '../../ports.ts';
import { heartbeats, type LaneSystem } from '../system/lane-system.ts';

/** Owners send five heartbeats a second. */
const measureMs = 1_200;

/** One lane in `potstream shards`. */
export interface Shard {
  readonly lane: number;
  /** null: no owner sends heartbeats. */
  readonly owner: string | null;
  readonly term: number | null;
  readonly condition: string;
  /** A host that follows the lane; null: there is none. */
  readonly standby: string | null;
  /** The standby has caught up. */
  readonly standby_warm: boolean;
  /** The last message of the log. */
  readonly sequence: number;
  /** Messages that the owner has not applied yet. */
  readonly lag: number | null;
  /** Messages that the standby had not applied when it was last announced, up to 0.8 s ago. */
  readonly standby_lag: number | null;
  /** Commands a second that the owner applied while this was asked; null: not measured. */
  readonly rate: number | null;
  /** The engine version when the owner was last announced; null: no host announces the lane. */
  readonly engine_version: number | null;
}

/** As `listShards`, with the rate of each lane, which takes a second. */
export async function listShardsWithRates(system: LaneSystem): Promise<Shard[]> {
  const [shards, rates] = await Promise.all([listShards(system), measureRates(system.bus)]);
  return shards.map((shard) => ({ ...shard, rate: rates.get(shard.lane) ?? null }));
}

/** What the owners' heartbeats, the hosts' announcements and the log say of each lane now. */
export async function listShards({ log, bus, lanes }: LaneSystem): Promise<Shard[]> {
  const [beats, hosts] = await Promise.all([
    heartbeats(bus, (known) => known.size === lanes),
    readHosts(await log.table('HOSTS')),
  ]);
  return Promise.all(
    Array.from({ length: lanes }, async (_, lane): Promise<Shard> => {
      const beat = beats.get(lane);
      const owner = beat === undefined ? null : hostIdOf(beat.host);
      const sequence = await log.lastCommand(lane);
      const standby = standbyOf(lane, owner, hosts);
      return {
        lane,
        owner,
        term: beat?.term ?? null,
        condition: beat?.condition ?? 'silent',
        standby: standby?.host ?? null,
        standby_warm: standby?.duty === 'w',
        sequence,
        lag: beat === undefined ? null : Math.max(0, sequence - beat.appliedSequence),
        standby_lag: standby === null ? null : Math.max(0, sequence - standby.appliedSequence),
        rate: null,
        engine_version: engineVersionOf(lane, hosts.values()),
      };
    }),
  );
}

/** One line for each lane. */
export function shardLines(shards: readonly Shard[]): string[] {
  return shards.map((shard) => {
    const { lane, owner, term, condition, standby, sequence, lag, rate } = shard;
    const owned = owner === null ? 'no owner' : `${owner} (${condition}, term ${term}, lag ${lag})`;
    const warm = shard.standby_warm ? 'warm' : 'catching up';
    const followed =
      standby === null ? 'no standby' : `standby ${standby} (${warm}, lag ${shard.standby_lag})`;
    const engine = shard.engine_version === null ? '' : `, engine ${shard.engine_version}`;
    const speed = rate === null ? '' : `, ${Math.round(rate)} commands/s`;
    return `lane ${lane}: ${owned}, ${followed}, CMD ${sequence}${engine}${speed}`;
  });
}

/** Commands a second of each lane, from the first and the last heartbeat of its owner within a second. */
async function measureRates(bus: Bus): Promise<ReadonlyMap<number, number>> {
  const firsts = new Map<number, { readonly beat: Heartbeat; readonly atMs: number }>();
  const rates = new Map<number, number>();
  const observe = (beat: Heartbeat): void => {
    const atMs = performance.now();
    const first = firsts.get(beat.lane);
    if (first?.beat.host !== beat.host) firsts.set(beat.lane, { beat, atMs });
    else if (beat.appliedCommands !== undefined && first.beat.appliedCommands !== undefined) {
      const commands = beat.appliedCommands - first.beat.appliedCommands;
      rates.set(beat.lane, (1000 * commands) / (atMs - first.atMs));
    }
  };
  await heartbeats(bus, () => false, measureMs, observe);
  return rates;
}

/** The engine version of a lane, by its owner's record; null: no host announces the lane. */
export function engineVersionOf(lane: number, hosts: Iterable<HostRecord>): number | null {
  for (const { lanes } of hosts) {
    const row = lanes.find((each) => each.lane === lane && each.duty === 'o');
    if (row !== undefined) return row.engineVersion;
  }
  return null;
}

/** The records of KV HOSTS; a dead host's stays for up to ten minutes. */
export async function readHosts(table: Table): Promise<ReadonlyMap<string, HostRecord>> {
  const hosts = new Map<string, HostRecord>();
  let becomeCurrent = (): void => {};
  const current = new Promise<void>((resolve) => {
    becomeCurrent = resolve;
  });
  const watch = await table.watch({
    entry(id, value) {
      const record = value === null ? null : decodeHostRecord(value);
      if (record === null) hosts.delete(id);
      else hosts.set(id, record);
    },
    current: becomeCurrent,
  });
  await current;
  await watch.stop();
  return hosts;
}

function standbyOf(lane: number, owner: string | null, hosts: ReadonlyMap<string, HostRecord>) {
  const followers = [...hosts].flatMap(([host, { lanes }]) => {
    const row = lanes.find((each) => each.lane === lane && (each.duty === 'w' || each.duty === 'f'));
    return row === undefined || host === owner ? [] : [{ ...row, host }];
  });
  return followers.find(({ duty }) => duty === 'w') ?? followers[0] ?? null;
}
