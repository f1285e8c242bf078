import { keptSnapshots } from '../../src/actors/audit/kept-snapshots.ts';
import type { ReplaySystem } from '../../src/cli/system/replay-system.ts';
import { hasInstance, laneAt } from './lane-at.ts';

/**
 * The lane of an instance, by the newest snapshots, else by replays of what came behind them; null: no lane
 * has it.
 */
export async function findLane(instance: string, system: ReplaySystem): Promise<number | null> {
  const lanes = Array.from({ length: system.lanes }, (_, lane) => lane);
  for (const lane of lanes) if (await isInNewestSnapshot(lane, instance, system)) return lane;
  for (const lane of lanes) if (await isInLog(lane, instance, system)) return lane;
  return null;
}

async function isInNewestSnapshot(lane: number, instance: string, system: ReplaySystem): Promise<boolean> {
  for (const kept of await keptSnapshots(lane, system)) {
    const found = await hasInstance(lane, kept, instance, system);
    if (found !== null) return found;
  }
  return false;
}

async function isInLog(lane: number, instance: string, system: ReplaySystem): Promise<boolean> {
  const end = { kind: 'message', sequence: await system.log.lastOutcome(lane) } as const;
  const { engine } = await laneAt(lane, instance, end, system);
  return engine.describe(instance) !== null;
}
