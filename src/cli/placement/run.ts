import { setTimeout as delay } from 'node:timers/promises';
import { drainKey, moveKey } from '../../actors/placement/overrides.ts';
import type { Settings } from '../../config.ts';
import type { Table } from '../../ports.ts';
import type { LaneOutput } from '../lane/command.ts';
import { type LaneSystem, withLaneSystem } from '../lane/system.ts';
import { listShards, readHosts, type Shard, shardLines } from './shards.ts';

/** How long a command watches its order being followed. The order stays in force afterwards. */
const watchMs = 30_000;
const pauseMs = 200;
const writeAttempts = 5;

/** `potstream shards`: 0 if every lane has an owner, otherwise 1. */
export function shardsCommand(settings: Settings, json: boolean, { write }: LaneOutput): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    const shards = await listShards(system);
    write(json ? `${JSON.stringify(shards, null, 2)}\n` : `${shardLines(shards).join('\n')}\n`);
    return shards.every(({ owner, condition }) => owner !== null && condition !== 'stopped') ? 0 : 1;
  });
}

/** `potstream drain`: 0 once the host owns no lane. */
export function drainCommand(
  settings: Settings,
  host: string,
  undo: boolean,
  { print }: LaneOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    if (!undo && !(await requireHost(system, host, print))) return 1;
    await order(await system.log.table('PLACEMENT'), drainKey(host), undo ? null : 'drained');
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
  { print }: LaneOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    if (lane >= system.lanes) {
      print(`There is no lane ${lane}: the system has ${system.lanes}, from 0.`);
      return 1;
    }
    if (host !== null && !(await requireHost(system, host, print))) return 1;
    await order(await system.log.table('PLACEMENT'), moveKey(lane), host);
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

/** Writes an order to KV PLACEMENT, or removes it; another administrator may write at the same time. */
async function order(table: Table, key: string, value: string | null): Promise<void> {
  for (let left = writeAttempts; left > 0; left -= 1) {
    const present = await table.get(key);
    if (value === null && present === null) return;
    const revision = present?.revision ?? 0;
    const written =
      value === null
        ? await table.remove(key, revision)
        : (await table.put(key, Buffer.from(value, 'utf8'), revision)) !== null;
    if (written) return;
  }
  throw new Error(`${key} was changed by others again and again.`);
}

async function until(system: LaneSystem, isDone: (shards: readonly Shard[]) => boolean): Promise<boolean> {
  const deadlineMs = performance.now() + watchMs;
  while (performance.now() < deadlineMs) {
    if (isDone(await listShards(system))) return true;
    await delay(pauseMs);
  }
  return false;
}
