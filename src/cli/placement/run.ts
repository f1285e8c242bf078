import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { entryOf } from '../../contracts/lanes/placement-orders.ts';
import { overwriteEntry } from '../../log/base/overwrite-entry.ts';
import type { CommandChange } from '../system/audited.ts';
import { auditedSystemChange } from '../system/audited.ts';
import { type LaneSystem, withLaneSystem } from '../system/lane-system.ts';
import { hasLane } from '../system/log-reader.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { listShards, listShardsWithRates, readHosts, type Shard, shardLines } from './shards.ts';

/** How long a command watches its order being followed. The order stays in force afterwards. */
const watchMs = 30_000;
const pauseMs = 200;

/** `potstream shards`: 0 if every lane has an owner, otherwise 1. */
export function shardsCommand(settings: Settings, json: boolean, { write }: CommandOutput): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    const shards = await listShardsWithRates(system);
    write(json ? `${JSON.stringify(shards, null, 2)}\n` : `${shardLines(shards).join('\n')}\n`);
    return shards.every(({ owner, condition }) => owner !== null && condition !== 'stopped') ? 0 : 1;
  });
}

/** Whether the order is taken back, and what the audit trail says of it. */
interface OrderChoices {
  readonly undo: boolean;
  readonly reason: string | null;
}

/** `potstream drain`: 0 once the host owns no lane. */
export function drainCommand(
  settings: Settings,
  host: string,
  { undo, reason }: OrderChoices,
  { print }: CommandOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    if (!undo && !(await requireHost(system, host, print))) return 1;
    const change = {
      operation: undo ? 'host.undrain' : 'host.drain',
      object: `host ${host}`,
      reason,
      input: { host },
    };
    const { key, value } = entryOf({ kind: 'drain', host, isDrained: !undo });
    if (!(await order(system, change, key, value, print))) return 1;
    print(undo ? `${host} may have lanes again.` : `${host} is drained. Waiting until it owns no lane…`);
    if (undo) return 0;
    const isDone = (shards: readonly Shard[]): boolean => shards.every(({ owner }) => owner !== host);
    if (await until(system, isDone)) {
      print(`${host} owns no lane.`);
      return 0;
    }
    print(
      `${host} still owns lanes: no other host has them warm. See "potstream shards". The order stays in force.`,
    );
    return 1;
  });
}

/** `potstream move`: 0 once the host owns the lane. `host` null: the lane is placed as all others. */
export function moveCommand(
  settings: Settings,
  lane: number,
  host: string | null,
  reason: string | null,
  { print }: CommandOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    if (!hasLane(lane, system.lanes, print)) return 1;
    if (host !== null && !(await requireHost(system, host, print))) return 1;
    const change = { operation: 'lane.move', object: `lane ${lane}`, reason, input: { lane, host } };
    const { key, value } = entryOf({ kind: 'move', lane, host });
    if (!(await order(system, change, key, value, print))) return 1;
    if (host === null) {
      print(`Lane ${lane} is placed as all others.`);
      return 0;
    }
    if (await until(system, (shards) => shards[lane]?.owner === host)) {
      print(`${host} owns lane ${lane}.`);
      return 0;
    }
    print(`${host} does not own lane ${lane} yet. See "potstream shards". The order stays in force.`);
    return 1;
  });
}

async function requireHost(
  { log }: LaneSystem,
  host: string,
  print: (line: string) => void,
): Promise<boolean> {
  const hosts = [...(await readHosts(await log.table('HOSTS'))).keys()];
  if (hosts.includes(host)) return true;
  print(`There is no host ${host}. Hosts: ${hosts.join(', ') || 'none'}.`);
  return false;
}

/**
 * Writes an order to KV PLACEMENT, or takes it back, between two entries of the audit trail. false: nothing
 * was written, and the user knows why.
 */
export async function order(
  system: LaneSystem,
  change: Omit<CommandChange, 'owners'>,
  key: string,
  value: string | null,
  print: (line: string) => void,
): Promise<boolean> {
  const table = await system.log.table('PLACEMENT');
  const result = await auditedSystemChange(
    system,
    change,
    () => overwriteEntry(table, { key, value }),
    ({ before }) => ({ applied: true, before, after: value }),
  );
  if (result !== 'audit_unavailable') return true;
  print('Nothing was written: the audit trail cannot be written.');
  return false;
}

async function until(system: LaneSystem, isDone: (shards: readonly Shard[]) => boolean): Promise<boolean> {
  const deadlineMs = performance.now() + watchMs;
  while (performance.now() < deadlineMs) {
    if (isDone(await listShards(system))) return true;
    await delay(pauseMs);
  }
  return false;
}
